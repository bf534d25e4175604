//! Mail at a real mail server: aiosmtpd, where Python has it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use svc_business::mail::{MailError, Mailer as _};
use svc_mail::SmtpMailer;

use crate::mail;

/// A mail server that prints what it takes; it ends with this.
struct Server {
    process: Child,
    lines: BufReader<ChildStdout>,
    port: u16,
}

impl Server {
    /// `None`, with a line that says so, where Python has no aiosmtpd.
    #[expect(clippy::print_stderr, reason = "what is skipped is told")]
    fn start() -> Option<Self> {
        let python = "/usr/bin/python3";
        let known = Command::new(python).args(["-c", "import aiosmtpd"]).stderr(Stdio::null()).status();
        if !known.is_ok_and(|status| status.success()) {
            eprintln!("skipped: {python} has no aiosmtpd (Debian: python3-aiosmtpd)");
            return None;
        }
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mail/server.py");
        let mut process = Command::new(python)
            .args([script, &port.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .expect("a mail server");
        let mut lines = BufReader::new(process.stdout.take().expect("its output"));
        let mut ready = String::new();
        lines.read_line(&mut ready).expect("a line");
        assert_eq!(ready, "ready\n");
        Some(Self { process, lines, port })
    }

    /// The next message that it took.
    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect("a message")
    }

    fn mailer(&self) -> SmtpMailer {
        let url = format!("smtp://127.0.0.1:{}", self.port);
        SmtpMailer::new(&url, "billing@sol.example".parse().expect("an address")).expect("a mailer")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[tokio::test]
async fn a_mail_server_gets_the_mail_with_its_files() {
    let Some(mut server) = Server::start() else { return };
    let sent = mail("job_1", "admin@luna.example");
    server.mailer().send(&sent).await.expect("taken");
    let message = server.next();
    assert_eq!(message["id"], "<job_1@sol.example>");
    assert_eq!(message["from"], "Ferretería Sol SL <billing@sol.example>");
    assert_eq!(message["mailFrom"], "billing@sol.example");
    assert_eq!(message["recipients"], json!(["admin@luna.example", "copia@luna.example"]));
    assert_eq!(message["subject"], sent.subject);
    assert_eq!(message["text"].as_str().map(|text| text.replace("\r\n", "\n")), Some(sent.text.clone()));
    let file = &sent.attachments[0];
    assert_eq!(
        message["files"],
        json!([{"name": file.name, "type": file.media_type, "bytes": file.content}])
    );
}

#[tokio::test]
async fn a_refusal_for_good_is_told_from_one_for_now() {
    let Some(server) = Server::start() else { return };
    let mailer = server.mailer();
    let unknown = mailer.send(&mail("job_2", "nobody@luna.example")).await;
    assert!(
        matches!(&unknown, Err(MailError::ForGood(why)) if why.contains("no such mailbox")),
        "{unknown:?}"
    );
    let later = mailer.send(&mail("job_3", "later@luna.example")).await;
    assert!(matches!(&later, Err(MailError::ForNow(why)) if why.contains("try again")), "{later:?}");
    drop(server);
    let gone = mailer.send(&mail("job_4", "admin@luna.example")).await;
    assert!(matches!(gone, Err(MailError::ForNow(_))), "{gone:?}");
}

/// A mail server that refuses every login.
fn refusing() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        let mut lines = BufReader::new(stream.try_clone().expect("a stream"));
        stream.write_all(b"220 mail.example\r\n").expect("sent");
        let mut line = String::new();
        while lines.read_line(&mut line).is_ok_and(|read| read > 0) {
            let answer: &[u8] = match line.split([' ', '\r']).next().unwrap_or_default() {
                "EHLO" => b"250-mail.example\r\n250 AUTH PLAIN\r\n",
                "AUTH" => b"535 5.7.8 the password has expired\r\n",
                _ => b"221 bye\r\n",
            };
            stream.write_all(answer).expect("sent");
            line.clear();
        }
    });
    port
}

#[tokio::test]
async fn a_refused_login_is_no_verdict_on_the_mail() {
    let url = format!("smtp://user:old@127.0.0.1:{}", refusing());
    let mailer = SmtpMailer::new(&url, "billing@sol.example".parse().expect("an address")).expect("a mailer");
    let refused = mailer.send(&mail("1", "ada@example.com")).await.expect_err("no login");
    assert!(
        matches!(&refused, MailError::ForNow(text) if text.contains("the password has expired")),
        "{refused:?}"
    );
}
