//! `mcp calls`: what was called with a credential.

use std::net::IpAddr;

use clap::Args;
use serde::Serialize;
use svc_auth::calls::CallRecord;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, CallId, TokenId};

use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::failure::Failure;

/// `mcp calls`
#[derive(Args, Debug)]
#[command(
    after_help = "Works beside a running server, which writes calls down every two seconds. Texts of arguments are left \
                  out.\n\nExample:\n  svc-server mcp calls tok_… --json"
)]
pub(crate) struct Calls {
    /// The connection, or the token
    #[arg(value_name = "ID")]
    id: TokenId,
    /// So many, the newest first
    #[arg(long, value_name = "NUMBER", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

/// A call as it is listed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    id: CallId,
    at: Timestamp,
    account_id: AccountId,
    tool: String,
    outcome: String,
    arguments: serde_json::Value,
    digest: String,
    touched: Vec<String>,
    client: String,
    revision: String,
    from: Option<IpAddr>,
}

impl Calls {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::look(context).await?;
        let read = self.read(&operator).await;
        let listed: Vec<_> = operator.close(read).await?.into_iter().map(Listed::of).collect();
        let rows = listed.iter().map(Listed::row).collect();
        let headings = ["at", "tool", "outcome", "records", "client", "from"];
        context.output.table(&serde_json::json!({"items": listed}), &headings, rows);
        Ok(())
    }

    async fn read(&self, operator: &Operator) -> Result<Vec<CallRecord>, Failure> {
        Ok(operator.store.database.oauth().calls().last(self.id, self.limit).await?)
    }
}

impl Listed {
    fn of(call: CallRecord) -> Self {
        Self {
            id: call.id,
            at: call.at,
            account_id: call.company,
            tool: call.tool,
            outcome: call.outcome,
            arguments: serde_json::from_str(&call.arguments).unwrap_or_default(),
            digest: call.digest.to_string(),
            touched: call.touched,
            client: call.client,
            revision: call.revision,
            from: call.from,
        }
    }

    fn row(&self) -> Vec<String> {
        vec![
            self.at.to_string(),
            self.tool.clone(),
            self.outcome.clone(),
            self.touched.len().to_string(),
            self.client.clone(),
            self.from.map(|from| from.to_string()).unwrap_or_default(),
        ]
    }
}
