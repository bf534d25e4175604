//! `audit heads`: the newest record of each company's log, to be kept elsewhere.

use clap::Args;
use serde_json::json;
use svc_core::audit::{AuditReader, Mark};

use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::failure::Failure;

/// `audit heads`
#[derive(Args, Debug)]
#[command(
    after_help = "A log cannot show by itself that its newest records were cut off. Keep these lines in another \
                  place,\nand give them to `svc-server audit verify --expect` later. Works beside a running server.\n\n\
                  Example:\n  svc-server audit heads > /elsewhere/heads-monday.txt\n  svc-server audit heads --json"
)]
pub(crate) struct Heads {}

impl Heads {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::look(context).await?;
        let marks = heads(&*operator.store.database.audit()).await;
        let marks = operator.close(marks).await?;
        let items: Vec<_> = marks
            .iter()
            .map(|mark| json!({"accountId": mark.account, "number": mark.number, "seal": mark.seal}))
            .collect();
        context.output.either(&json!({"items": items}), || {
            marks.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        });
        Ok(())
    }
}

/// The newest record of each company; a log without one is broken.
async fn heads(audit: &dyn AuditReader) -> Result<Vec<Mark>, Failure> {
    let mut marks = Vec::new();
    for account in audit.companies().await? {
        let account = account.map_err(|unreadable| broken(unreadable.to_string()))?;
        let head = audit.head(account).await?.ok_or("the newest record is gone".to_owned());
        let head = head.and_then(|head| head.map_err(|unreadable| unreadable.to_string()));
        let head = head.map_err(|reason| broken(format!("{account}: {reason}")))?;
        marks.push(Mark::of(account, head));
    }
    Ok(marks)
}

fn broken(reason: String) -> Failure {
    Failure::new("audit_broken", reason).hint("`svc-server audit verify` names everything that is wrong")
}
