//! What those who took part are sent in the end.

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use svc_business::job::{JobKind, Outcome, Run};
use svc_business::mail::{Mail, MailError, Mailer};
use svc_mail::{Ceremonies, Ended, carry_out_envelope};
use svc_seal::verify;
use svc_testkit::business::envelopes::{key, pdf};
use svc_testkit::business::sample::at;

use crate::world::{World, seal_key};

/// Takes every mail.
#[derive(Default)]
struct Taken(Mutex<Vec<Mail>>);

#[async_trait]
impl Mailer for Taken {
    async fn send(&self, mail: &Mail) -> Result<(), MailError> {
        self.0.lock().unwrap().push(mail.clone());
        Ok(())
    }
}

#[tokio::test]
async fn those_who_took_part_are_sent_what_was_signed() {
    let world = World::new().await;
    let file = world.file("Contrato.pdf", "application/pdf", &pdf("one")).await;
    let sent = world.sent(&[file.id], json!([])).await.unwrap();
    world.sign(&sent).await;
    let job = world.claim(40).await.remove(0);
    world.run(&job, 40).await.unwrap();
    let mailer = Taken::default();
    for job in world.claim_of(JobKind::EnvelopeMail, 50).await {
        let run = |outcome, note| Run { at: at(50), took: Duration::ZERO, outcome, note };
        let with = Ceremonies { keys: &[key()], public_url: "https://firma.example" };
        let stores = (&*world.storage, &world.contents as _);
        let ended = carry_out_envelope(stores, &mailer, world.call(at(50)), (&job, with), run).await;
        assert_eq!(ended.unwrap(), Ended::Settled(Outcome::Done));
    }
    let mails = mailer.0.into_inner().unwrap();
    let to: Vec<_> = mails.iter().map(|mail| mail.to[0].as_str()).collect();
    // The invitation of a person who has signed by now is not sent any more.
    assert_eq!(to, ["ana@example.com", "luis@example.com"]);
    for mail in mails {
        let names: Vec<_> = mail.attachments.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["Contrato (firmado).pdf", "Certificado de firma - Arrendamiento.pdf"]);
        assert!(mail.text.contains("van adjuntos"), "{}", mail.text);
        verify(&mail.attachments[0].content, &seal_key()).unwrap();
    }
}
