//! One job of the kind `envelope_mail`: what a signer is sent.

use svc_business::account::Account;
use svc_business::document::file::File;
use svc_business::job::{Job, Outcome, Run};
use svc_business::mail::{Attachment, Mail, Mailer};
use svc_business::ports::BusinessStorage;
use svc_business::signature::key::CeremonyKey;
use svc_business::signature::machine::MailKind;
use svc_business::signature::operations::letter_of;
use svc_business::signature::{Envelope, EnvelopeStatus, Signer};
use svc_core::clock::Timestamp;
use svc_core::content::{ContentStore, read_whole};
use svc_core::error::StoreError;
use svc_core::unit::CallContext;

use crate::job::{Ended, end, hand_over};
use crate::language::is_spanish;

/// The most bytes that are attached to a mail: more is refused by common mail servers.
const MOST_ATTACHED: u64 = 10 * 1024 * 1024;

/// What mails of envelopes need beside the envelope.
#[derive(Clone, Copy, Debug)]
pub struct Ceremonies<'a> {
    /// The keys of links and codes: the one in use, and older ones.
    pub keys: &'a [CeremonyKey],
    /// Where the pages of signers are: `https://example.com`.
    pub public_url: &'a str,
}

/// Does a claimed job: makes the link or the code anew, hands the mail over, and ends the job. Nothing is sent to a person
/// who is not asked any more.
///
/// # Errors
/// When the store failed, or another worker has the job by now; the mail may have gone out all the same.
pub async fn carry_out_envelope(
    (storage, contents): (&dyn BusinessStorage, &dyn ContentStore),
    mailer: &dyn Mailer,
    call: CallContext<'_>,
    (job, with): (&Job, Ceremonies<'_>),
    run: impl Fn(Outcome, String) -> Run + Send + Sync,
) -> Result<Ended, StoreError> {
    let letter = letter_of(job)?;
    let envelope = storage.envelopes().find(call.scope, letter.envelope).await?;
    let company = storage.accounts().find(call.scope, job.home()?).await?;
    let Some((envelope, company)) = envelope.zip(company) else {
        return Err(StoreError::backend("the envelope of a mail is missing"));
    };
    let attachments = match letter.kind() {
        Some(MailKind::Completed) => signed((storage, contents), call, &envelope).await?,
        Some(_) | None => Vec::new(),
    };
    let composed = match (envelope.signer(letter.signer), letter.kind()) {
        (Some(signer), Some(kind)) => {
            let told = (signer, kind, attachments);
            compose_envelope(job.id.to_string(), (&envelope, &company), told, with, call.now)
        }
        _ => Err("the letter is of another version of this program"),
    };
    let run = match composed {
        Err(why) => run(Outcome::Refused, format!("no mail was written: {why}")),
        Ok(None) => run(Outcome::Done, "the person is not asked any more".to_owned()),
        Ok(Some(mail)) => match hand_over(mailer, &mail, job, run).await {
            Ok(run) => run,
            Err(why) => return Ok(Ended::Later(why)),
        },
    };
    end(storage, job, run).await
}

/// What signing came to, as attachments: the sealed files and the certificate; none when they are too large together.
async fn signed(
    (storage, contents): (&dyn BusinessStorage, &dyn ContentStore),
    call: CallContext<'_>,
    envelope: &Envelope,
) -> Result<Vec<Attachment>, StoreError> {
    let EnvelopeStatus::Completed { sealed: Some(sealed), .. } = &envelope.status else {
        return Ok(Vec::new());
    };
    let ids: Vec<_> = sealed.files.iter().chain([&sealed.certificate]).copied().collect();
    let found: Vec<File> = storage.files().find_all(call.scope, &ids).await?;
    let files = ids.iter().filter_map(|id| found.iter().find(|file| file.id == *id));
    let files: Vec<_> = files.filter_map(|file| Some((file, file.versions.first()?))).collect();
    let size = files.iter().fold(0_u64, |sum, (_, version)| sum.saturating_add(version.content.size));
    if files.len() < ids.len() || size > MOST_ATTACHED {
        return Ok(Vec::new());
    }
    let mut attached = Vec::new();
    for (file, version) in files {
        let content = read_whole(contents, version.kept_for, version.content.digest).await;
        let content = content.map_err(StoreError::backend)?;
        attached.push(Attachment { name: file.name.clone(), media_type: "application/pdf", content });
    }
    Ok(attached)
}

/// Writes the mail, in the language of the envelope, with what is attached to it; `None` when the person is not asked any more.
///
/// # Errors
/// Why there can be none, without personal data.
pub fn compose_envelope(
    id: String,
    (envelope, company): (&Envelope, &Account),
    (signer, kind, attachments): (&Signer, MailKind, Vec<Attachment>),
    with: Ceremonies<'_>,
    now: Timestamp,
) -> Result<Option<Mail>, &'static str> {
    let is_asked = signer.is_asked() && envelope.is_open(now).is_ok();
    let from = company.trade_name.clone().unwrap_or_else(|| company.legal_name.clone());
    let is_spanish = is_spanish(&envelope.language);
    let subject = &envelope.subject;
    let (title, body) = match kind {
        MailKind::Invitation | MailKind::Reminder | MailKind::Code if !is_asked => return Ok(None),
        MailKind::Invitation | MailKind::Reminder => {
            let link = link(signer, with)?;
            asking(is_spanish, &from, subject, &link)
        }
        MailKind::Code => {
            let last = signer.codes.last.ok_or("the code is gone")?;
            let mut codes = with.keys.iter().filter_map(|key| last.text(key, signer.id));
            let code = codes.next().ok_or("the key of codes is another one")?;
            coded(is_spanish, subject, code.as_str())
        }
        MailKind::Voided if is_spanish => (
            format!("Firma anulada: {subject}"),
            format!("{from} ya no necesita su firma de «{subject}». El enlace que recibió no sirve."),
        ),
        MailKind::Voided => (
            format!("Signature no longer needed: {subject}"),
            format!("{from} does not need your signature of \"{subject}\" any more. The link is dead."),
        ),
        MailKind::Completed => signed_by_all(is_spanish, &from, subject, !attachments.is_empty()),
    };
    let message = envelope.message.as_deref().filter(|_| kind == MailKind::Invitation);
    let message = message.map(|message| format!("\n\n{message}")).unwrap_or_default();
    let (hello, bye) = if is_spanish { ("Hola", "Un saludo") } else { ("Hello", "Kind regards") };
    Ok(Some(Mail {
        id,
        reply_to: company.email.clone(),
        to: vec![signer.email.clone()],
        cc: Vec::new(),
        subject: title,
        text: format!("{hello} {}:\n\n{body}{message}\n\n{bye},\n{from}\n", signer.name),
        from_name: from,
        attachments,
    }))
}

/// The address of a signer's page.
fn link(signer: &Signer, with: Ceremonies<'_>) -> Result<String, &'static str> {
    let access = signer.access.ok_or("the person has no link")?;
    let mut links = with.keys.iter().filter_map(|key| access.link(key, signer.id));
    let link =
        links.next().ok_or("the key of links is another one: reassign the signature to the same person")?;
    Ok(format!("{}/sign/{}", with.public_url.trim_end_matches('/'), link.as_str()))
}

fn asking(is_spanish: bool, from: &str, subject: &str, link: &str) -> (String, String) {
    if is_spanish {
        let body = format!(
            "{from} le pide que firme «{subject}». Abra este enlace, que es solo para usted:\n\n{link}"
        );
        (format!("Firma pendiente: {subject}"), body)
    } else {
        let body = format!(
            "{from} asks you to sign \"{subject}\". Open this link, which is for you alone:\n\n{link}"
        );
        (format!("Please sign: {subject}"), body)
    }
}

fn signed_by_all(is_spanish: bool, from: &str, subject: &str, is_attached: bool) -> (String, String) {
    if is_spanish {
        let rest = if is_attached {
            "Los documentos firmados y el certificado van adjuntos.".to_owned()
        } else {
            format!("Pida los documentos firmados a {from}: son demasiado grandes para un correo.")
        };
        let body = format!("Todas las personas han firmado «{subject}», que le envió {from}. {rest}");
        (format!("Firmado por todos: {subject}"), body)
    } else {
        let rest = if is_attached {
            "The signed documents and the certificate are attached.".to_owned()
        } else {
            format!("Ask {from} for the signed documents: they are too large for a mail.")
        };
        (format!("Signed by all: {subject}"), format!("Everyone has signed \"{subject}\" of {from}. {rest}"))
    }
}

fn coded(is_spanish: bool, subject: &str, code: &str) -> (String, String) {
    if is_spanish {
        (
            format!("Su código de firma: {code}"),
            format!("Su código para firmar «{subject}» es {code}. Vale diez minutos."),
        )
    } else {
        (
            format!("Your code: {code}"),
            format!("Your code to sign \"{subject}\" is {code}. It holds for ten minutes."),
        )
    }
}
