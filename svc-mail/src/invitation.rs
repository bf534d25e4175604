//! One job of the kind `invitation_mail`: the link by which a person becomes a member of a company, or says no.

use svc_business::account::Account;
use svc_business::job::{Job, Outcome, Run};
use svc_business::mail::{Mail, Mailer};
use svc_business::membership::{InvitationLink, Member, Membership, MembershipStatus, invited_by_mail};
use svc_business::ports::BusinessStorage;
use svc_business::user::{User, UserStatus};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::unit::CallContext;

use crate::job::{Ended, end, hand_over};
use crate::language::is_spanish;

/// Does a claimed job: draws a link, keeps its hash, and hands the mail over. Nothing is sent for an invitation that was
/// answered, withdrawn or expired meanwhile, nor to a person who is disabled.
///
/// # Errors
/// When the store failed, or another worker has the job by now; the mail may have gone out all the same.
pub async fn carry_out_invitation(
    storage: &dyn BusinessStorage,
    mailer: &dyn Mailer,
    call: CallContext<'_>,
    (job, public_url): (&Job, &str),
    run: impl Fn(Outcome, String) -> Run + Send + Sync,
) -> Result<Ended, StoreError> {
    let id = invited_by_mail(job)?;
    let company = job.home()?;
    let member = storage.people().member(call.scope, company, id).await?;
    let company = storage.accounts().find(call.scope, company).await?;
    let asked = member.zip(company).filter(|(member, _)| is_asked(member, call.now));
    let Some((member, company)) = asked else {
        let run = run(Outcome::Done, "the person is not invited any more".to_owned());
        return end(storage, job, run).await;
    };
    let inviter = match member.membership.invited_by {
        Some(by) => storage.people().user(by).await?,
        None => None,
    };
    let link = InvitationLink::draw(call.random);
    let unit = storage.begin().await?;
    unit.people().keep_link(&member.membership, &link.hash(), call.now).await?;
    unit.commit().await?;
    let link = format!("{}/invitation/{}", public_url.trim_end_matches('/'), link.as_str());
    // Each attempt has a link of its own, so each is a mail of its own.
    let id = format!("{}-{}", job.id, job.claim);
    let mail = compose(id, &company, (&member.user, inviter.as_ref()), &member.membership, &link);
    match hand_over(mailer, &mail, job, run).await {
        Ok(run) => end(storage, job, run).await,
        Err(why) => Ok(Ended::Later(why)),
    }
}

fn is_asked(member: &Member, now: Timestamp) -> bool {
    let membership = &member.membership;
    membership.status == MembershipStatus::Invited
        && !membership.is_expired(now)
        && member.user.status == UserStatus::Active
}

/// In the language of the person.
fn compose(
    id: String,
    company: &Account,
    (person, inviter): (&User, Option<&User>),
    membership: &Membership,
    link: &str,
) -> Mail {
    let from = company.trade_name.clone().unwrap_or_else(|| company.legal_name.clone());
    let legal = &company.legal_name;
    let until = membership.invited_at.plus(Membership::OPEN_FOR).to_string();
    let until = until.split('T').next().unwrap_or_default();
    let (subject, text) = if is_spanish(&person.locale) {
        let who = inviter.map_or_else(|| "Le invitan".to_owned(), |by| format!("{} le invita", by.name));
        (
            format!("Invitación de {from}"),
            format!(
                "Hola:\n\n{who} a ser miembro de {legal}. Abra este enlace, que es solo para usted, para ver con qué rol, y \
                 para aceptar o rechazar:\n\n{link}\n\nVale hasta el {until}. Si no espera esta invitación, no haga nada.\n"
            ),
        )
    } else {
        let who =
            inviter.map_or_else(|| "You are invited".to_owned(), |by| format!("{} invites you", by.name));
        (
            format!("Invitation from {from}"),
            format!(
                "Hello,\n\n{who} to become a member of {legal}. Open this link, which is for you alone, to see the role, and \
                 to accept or decline:\n\n{link}\n\nIt holds until {until}. If you do not expect it, do nothing.\n"
            ),
        )
    };
    Mail {
        id,
        from_name: from,
        reply_to: None,
        to: vec![person.email.clone()],
        cc: Vec::new(),
        subject,
        text,
        attachments: Vec::new(),
    }
}
