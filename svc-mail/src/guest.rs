//! One job of the kind `guest_mail`: what a guest of a data room is sent.

use svc_business::account::Account;
use svc_business::document::room::{DataRoomGrant, GrantState, GuestMailKind, guest_letter_of};
use svc_business::job::{Job, Outcome, Run};
use svc_business::mail::{Mail, Mailer};
use svc_business::ports::BusinessStorage;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::unit::CallContext;

use crate::envelope::Ceremonies;
use crate::job::{Ended, end, hand_over};
use crate::language::is_spanish;

/// Does a claimed job: makes the link or the code anew, hands the mail over, and ends the job. Nothing is sent to a guest who is
/// let in no more.
///
/// # Errors
/// When the store failed, or another worker has the job by now; the mail may have gone out all the same.
pub async fn carry_out_guest(
    storage: &dyn BusinessStorage,
    mailer: &dyn Mailer,
    call: CallContext<'_>,
    (job, with): (&Job, Ceremonies<'_>),
    run: impl Fn(Outcome, String) -> Run + Send + Sync,
) -> Result<Ended, StoreError> {
    let letter = guest_letter_of(job)?;
    let grant = storage.data_room_grants().find(call.scope, letter.grant).await?;
    let grant = grant.ok_or_else(|| StoreError::backend("the grant of a mail is missing"))?;
    let company = storage.accounts().find(call.scope, grant.company).await?;
    let company = company.ok_or_else(|| StoreError::backend("the company of a grant is missing"))?;
    let composed = match letter.kind() {
        Some(kind) => compose_guest(job.id.to_string(), (&grant, &company), kind, with, call.now),
        None => Err("the letter is of another version of this program"),
    };
    let run = match composed {
        Err(why) => run(Outcome::Refused, format!("no mail was written: {why}")),
        Ok(None) => run(Outcome::Done, "the guest is let in no more".to_owned()),
        Ok(Some(mail)) => match hand_over(mailer, &mail, job, run).await {
            Ok(run) => run,
            Err(why) => return Ok(Ended::Later(why)),
        },
    };
    end(storage, job, run).await
}

/// Writes the mail, in the language of the grant; `None` when the guest is let in no more.
///
/// # Errors
/// Why there can be none, without personal data.
pub fn compose_guest(
    id: String,
    (grant, company): (&DataRoomGrant, &Account),
    kind: GuestMailKind,
    with: Ceremonies<'_>,
    now: Timestamp,
) -> Result<Option<Mail>, &'static str> {
    if grant.state(now) != GrantState::Live || company.status.closed().is_some() {
        return Ok(None);
    }
    let from = company.trade_name.clone().unwrap_or_else(|| company.legal_name.clone());
    let is_spanish = is_spanish(&grant.language);
    let (subject, body) = match kind {
        GuestMailKind::Invitation => invited(is_spanish, &from, &link(grant, with)?, &until(grant)),
        GuestMailKind::Extension => extended(is_spanish, &from, &link(grant, with)?, &until(grant)),
        GuestMailKind::Code => {
            let last = grant.codes.last.ok_or("the code is gone")?;
            let mut codes = with.keys.iter().filter_map(|key| last.text(key, grant.id));
            let code = codes.next().ok_or("the key of codes is another one")?;
            coded(is_spanish, &from, code.as_str())
        }
    };
    let (hello, bye) = if is_spanish { ("Hola:", "Un saludo") } else { ("Hello,", "Kind regards") };
    Ok(Some(Mail {
        id,
        reply_to: company.email.clone(),
        to: vec![grant.email.clone()],
        cc: Vec::new(),
        subject,
        text: format!("{hello}\n\n{body}\n\n{bye},\n{from}\n"),
        from_name: from,
        attachments: Vec::new(),
    }))
}

/// The address of a guest's page.
fn link(grant: &DataRoomGrant, with: Ceremonies<'_>) -> Result<String, &'static str> {
    let mut links = with.keys.iter().filter_map(|key| grant.access.link(key, grant.id));
    let link = links.next().ok_or("the key of links is another one: make another grant for the guest")?;
    Ok(format!("{}/room/{}", with.public_url.trim_end_matches('/'), link.as_str()))
}

/// `2026-01-31 09:15 UTC`
fn until(grant: &DataRoomGrant) -> String {
    let text = grant.expires_at.to_string().replace('T', " ");
    format!("{} UTC", text.get(..16).unwrap_or_default())
}

fn invited(is_spanish: bool, from: &str, link: &str, until: &str) -> (String, String) {
    if is_spanish {
        let body = format!(
            "{from} le da acceso a documentos de su sala de datos hasta el {until}. Abra este enlace, que es solo para usted, y \
             pida allí un código, que llegará a esta misma dirección:\n\n{link}"
        );
        (format!("Documentos de {from}"), body)
    } else {
        let body = format!(
            "{from} shows you documents in its data room until {until}. Open this link, which is for you alone, and ask for a \
             code there, which comes to this address:\n\n{link}"
        );
        (format!("Documents of {from}"), body)
    }
}

fn extended(is_spanish: bool, from: &str, link: &str, until: &str) -> (String, String) {
    if is_spanish {
        let body = format!(
            "Su acceso a los documentos de {from} vale hasta el {until}. El enlace es el mismo:\n\n{link}"
        );
        (format!("Documentos de {from}: nueva fecha"), body)
    } else {
        let body = format!("You see the documents of {from} until {until}. The link is the same:\n\n{link}");
        (format!("Documents of {from}: another date"), body)
    }
}

fn coded(is_spanish: bool, from: &str, code: &str) -> (String, String) {
    if is_spanish {
        let body = format!("Su código para ver los documentos de {from} es {code}. Vale diez minutos.");
        (format!("Su código: {code}"), body)
    } else {
        let body = format!("Your code to see the documents of {from} is {code}. It holds for ten minutes.");
        (format!("Your code: {code}"), body)
    }
}
