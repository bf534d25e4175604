//! Mail in a folder.

use svc_business::mail::Mailer as _;
use svc_mail::FolderMailer;

use crate::mail;

#[tokio::test]
async fn a_mail_is_one_file_however_often_it_is_sent() {
    let folder = std::env::temp_dir().join(format!("svc-mail-{}", std::process::id()));
    let mailer = FolderMailer::new(&folder, "billing@localhost".parse().expect("an address"));
    let mail = mail("job_1", "admin@luna.example");
    mailer.send(&mail).await.expect("written");
    mailer.send(&mail).await.expect("written again");
    let names: Vec<_> =
        std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry")).collect();
    let [file] = names.as_slice() else { panic!("{names:?}") };
    assert_eq!(file.file_name(), "job_1.eml");
    let text = std::fs::read_to_string(file.path()).expect("a text");
    for line in [
        "Message-ID: <job_1@localhost>",
        "To: admin@luna.example",
        "Cc: copia@luna.example",
        "Reply-To: hola@sol.example",
        "Content-Disposition: attachment; filename=\"F2025-00001.pdf\"",
        "Content-Type: application/pdf",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    std::fs::remove_dir_all(folder).expect("removed");
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_tried_again() {
    let file = std::env::temp_dir().join(format!("svc-mail-file-{}", std::process::id()));
    std::fs::write(&file, "no folder").expect("written");
    let mailer = FolderMailer::new(&file, "billing@localhost".parse().expect("an address"));
    let refused = mailer.send(&mail("job_2", "admin@luna.example")).await;
    assert!(matches!(refused, Err(svc_business::mail::MailError::ForNow(_))), "{refused:?}");
    std::fs::remove_file(file).expect("removed");
}
