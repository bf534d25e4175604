//! One job of the kind `person_mail`: what the service sends to a person for itself.

use async_trait::async_trait;
use svc_business::job::{Job, Outcome, Run};
use svc_business::mail::{Mail, Mailer};
use svc_business::ports::BusinessStorage;
use svc_business::user::{PersonLetter, User, UserStatus};
use svc_core::error::StoreError;
use svc_core::id::UserId;

use crate::job::{Ended, end, hand_over};
use crate::language::is_spanish;

/// Makes links that reset passwords.
#[async_trait]
pub trait ResetLinks: Send + Sync {
    /// A new link of a person, whose earlier ones die; the address of its page, and for how many minutes it holds.
    async fn draw(&self, user: UserId) -> Result<(String, u64), StoreError>;
}

/// Does a claimed job: finds out whether an address has a person, draws a link, and hands the mail over. To an address
/// without an active person nothing is sent.
///
/// # Errors
/// When the store failed, or another worker has the job by now; the mail may have gone out all the same.
pub async fn carry_out_person(
    storage: &dyn BusinessStorage,
    mailer: &dyn Mailer,
    links: &dyn ResetLinks,
    job: &Job,
    run: impl Fn(Outcome, String) -> Run + Send + Sync,
) -> Result<Ended, StoreError> {
    let letter = PersonLetter::of(job)?;
    let found = match &letter {
        PersonLetter::ResetLink { email } => storage.people().user_by_email(email).await?,
        PersonLetter::PasswordChanged { user, .. } => storage.people().user(*user).await?,
    };
    let Some(person) = found.filter(|person| person.status == UserStatus::Active) else {
        return end(storage, job, run(Outcome::Done, "no active person is meant".to_owned())).await;
    };
    let text = match letter {
        PersonLetter::ResetLink { .. } => {
            let (link, minutes) = links.draw(person.id).await?;
            reset(&person, &link, minutes)
        }
        PersonLetter::PasswordChanged { by_link, .. } => changed(&person, by_link),
    };
    // Each attempt has a link of its own, so each is a mail of its own.
    let mail = mail(format!("{}-{}", job.id, job.claim), &person, text);
    match hand_over(mailer, &mail, job, run).await {
        Ok(run) => end(storage, job, run).await,
        Err(why) => Ok(Ended::Later(why)),
    }
}

fn mail(id: String, person: &User, (subject, text): (&str, String)) -> Mail {
    let from_name = if is_spanish(&person.locale) { "Área de cliente" } else { "Client area" };
    Mail {
        id,
        from_name: from_name.to_owned(),
        reply_to: None,
        to: vec![person.email.clone()],
        cc: Vec::new(),
        subject: subject.to_owned(),
        text,
        attachments: Vec::new(),
    }
}

fn reset(person: &User, link: &str, minutes: u64) -> (&'static str, String) {
    if is_spanish(&person.locale) {
        let text = format!(
            "Hola:\n\nHan pedido una contraseña nueva para su usuario. Abra este enlace para elegirla:\n\n{link}\n\nVale \
             {minutes} minutos y una sola vez. Si no lo ha pedido usted, no haga nada: su contraseña sigue siendo la misma.\n"
        );
        ("Elija una contraseña nueva", text)
    } else {
        let text = format!(
            "Hello,\n\nA new password was asked for. Open this link to choose it:\n\n{link}\n\nIt holds for {minutes} minutes, \
             and once. If it was not you who asked, do nothing: your password stays as it is.\n"
        );
        ("Choose a new password", text)
    }
}

fn changed(person: &User, by_link: bool) -> (&'static str, String) {
    if is_spanish(&person.locale) {
        let how = if by_link {
            "con un enlace enviado a este correo, y todas sus sesiones han terminado"
        } else {
            "en el área de cliente, y sus otras sesiones han terminado"
        };
        let text = format!(
            "Hola:\n\nLa contraseña de su usuario se ha cambiado {how}. Si no ha sido usted, pida ahora mismo otra contraseña en \
             la página de inicio de sesión y avise al operador del servicio.\n"
        );
        ("Su contraseña ha cambiado", text)
    } else {
        let how = if by_link {
            "with a link that was sent to this address, and all your sessions have ended"
        } else {
            "in the client area, and your other sessions have ended"
        };
        let text = format!(
            "Hello,\n\nYour password was changed {how}. If it was not you, ask for a new password at once where you sign in, and \
             tell the operator of the service.\n"
        );
        ("Your password was changed", text)
    }
}
