//! `audit heads`: the newest record of each company's log, to be kept elsewhere.

use clap::Args;
use serde_json::json;

use crate::commands::Context;
use crate::commands::audit_verify::Mark;
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
        let heads = operator.store.database.audit().heads().await.map_err(Failure::from);
        let heads = operator.close(heads).await?;
        let marks: Vec<_> = heads.iter().map(|(account, head)| Mark::of(*account, *head)).collect();
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
