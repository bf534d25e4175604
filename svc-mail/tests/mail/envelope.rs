//! Mails of envelopes: secrets are made anew, and only for those who are asked.

use svc_business::signature::key::{CeremonyKey, LinkHash, Salt};
use svc_business::signature::machine::MailKind;
use svc_business::signature::{Envelope, Signer, SignerAuth};
use svc_core::id::SignerId;
use svc_mail::{Ceremonies, compose_envelope};
use svc_testkit::business::envelopes::{access, act, act_of, draft, key, link, pin, signer};
use svc_testkit::business::sample::{account, at, id};

fn sent() -> Envelope {
    let people = vec![Signer { auth: SignerAuth::EmailOtp, ..signer(60) }, signer(61)];
    let draft = Envelope { message: Some("Por favor".to_owned()), ..draft(id(1), 30, people) };
    draft.send(vec![pin(0)], access, &act(at(0))).expect("a whole draft").envelope
}

/// The text of a mail to the first signer.
fn text(envelope: &Envelope, kind: MailKind, keys: &[CeremonyKey]) -> Result<Option<String>, &'static str> {
    let with = Ceremonies { keys, public_url: "https://firma.example/" };
    let first = envelope.signers.first().expect("a signer");
    let told = (first, kind, Vec::new());
    let mail = compose_envelope("1".to_owned(), (envelope, &account(1)), told, with, at(1))?;
    Ok(mail.map(|mail| format!("{}\n{}", mail.subject, mail.text)))
}

#[test]
fn an_invitation_has_the_link_of_its_signer_whatever_key_it_was_made_with() {
    let (envelope, older) = (sent(), CeremonyKey::new([9; 32]));
    let invitation =
        text(&envelope, MailKind::Invitation, &[older.clone(), key()]).expect("a link").expect("asked");
    let token = invitation.split_once("https://firma.example/sign/").expect("a link").1;
    let token = token.split_whitespace().next().expect("a token");
    assert_eq!(LinkHash::of(token), link(id(60)));
    assert!(invitation.contains("Por favor") && invitation.contains("Contrato 30"), "{invitation}");
    let reminder = text(&envelope, MailKind::Reminder, &[key()]).expect("a link").expect("asked");
    assert!(reminder.contains(token) && !reminder.contains("Por favor"), "{reminder}");
    assert!(text(&envelope, MailKind::Invitation, &[older]).is_err(), "a link of another key is none");
}

#[test]
fn a_code_is_the_one_that_proves() {
    let (signer, now): (SignerId, _) = (id(60), at(1));
    let by = act_of(signer, now);
    assert!(text(&sent(), MailKind::Code, &[key()]).is_err(), "none was asked for");
    let asked = sent().request_code(&link(signer), (&key(), Salt([4; 16])), &by).expect("asked").envelope;
    let mail = text(&asked, MailKind::Code, &[key()]).expect("a code").expect("asked");
    let code = mail.lines().next().and_then(|line| line.rsplit(' ').next()).expect("a code").to_owned();
    let proved = asked.prove_code(&link(signer), (&key(), &code), &by).expect("asked");
    assert_eq!(proved.judged, Ok(()));
}

#[test]
fn those_who_are_not_asked_any_more_get_no_link() {
    let voided = sent().void("motivo".to_owned(), &act(at(1))).expect("open").envelope;
    for kind in [MailKind::Invitation, MailKind::Reminder, MailKind::Code] {
        assert_eq!(text(&voided, kind, &[key()]), Ok(None), "{kind:?}");
    }
    let told = text(&voided, MailKind::Voided, &[]).expect("no secret").expect("told");
    assert!(told.starts_with("Firma anulada: Contrato 30"), "{told}");
}
