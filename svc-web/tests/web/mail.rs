//! The mails that the worker sends meanwhile.

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use svc_auth::session::offer_reset;
use svc_business::job::{JobKind, Run};
use svc_business::mail::{Mail, MailError, Mailer};
use svc_core::audit::Actor;
use svc_core::clock::Clock;
use svc_core::error::StoreError;
use svc_core::id::UserId;
use svc_core::pii::PiiAccess;
use svc_core::unit::CallContext;
use svc_mail::{ResetLinks, carry_out_invitation, carry_out_person};
use svc_testkit::business::sample;

use crate::app::{TestArea, peppers};

#[derive(Default)]
struct Taken(Mutex<Vec<Mail>>);

#[async_trait]
impl Mailer for Taken {
    async fn send(&self, mail: &Mail) -> Result<(), MailError> {
        self.0.lock().unwrap().push(mail.clone());
        Ok(())
    }
}

#[async_trait]
impl ResetLinks for TestArea {
    async fn draw(&self, user: UserId) -> Result<(String, u64), StoreError> {
        let sessions = self.database.sessions();
        let value = offer_reset(&*sessions, &peppers(), user, self.clock.now(), &*self.random).await?;
        Ok((format!("https://svc.example/reset/{}", value.expose()), 60))
    }
}

impl TestArea {
    /// Does the jobs that send mail to people, as the worker does; answers what went out.
    pub(crate) async fn mails(&self) -> Vec<Mail> {
        let (business, taken, now) = (self.database.business(), Taken::default(), self.clock.now());
        let (scope, actor) = (sample::everything(), Actor::service("mail"));
        let call = CallContext {
            scope: &scope,
            access: PiiAccess::Masked,
            actor: &actor,
            now,
            random: &*self.random,
        };
        for kind in [JobKind::InvitationMail, JobKind::PersonMail] {
            let unit = business.begin().await.unwrap();
            let jobs = unit.jobs().claim(kind, now, now.plus(Duration::from_mins(5)), 100).await.unwrap();
            unit.commit().await.unwrap();
            for job in jobs {
                let run = |outcome, note| Run { at: now, took: Duration::ZERO, outcome, note };
                if kind == JobKind::InvitationMail {
                    let with = (&job, "https://svc.example/");
                    carry_out_invitation(&*business, &taken, call, with, run).await.unwrap();
                } else {
                    carry_out_person(&*business, &taken, self, &job, run).await.unwrap();
                }
            }
        }
        taken.0.into_inner().unwrap()
    }
}

/// The path that the link of a mail has here.
pub(crate) fn link(mail: &Mail) -> String {
    let line = mail.text.lines().find(|line| line.starts_with("https://svc.example/")).unwrap();
    line.trim_start_matches("https://svc.example").to_owned()
}
