//! `mcp connections`: what people let assistants do.

use clap::Args;
use serde::Serialize;
use svc_auth::token::{ConnectionRole, Token};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, TokenId, UserId};

use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::commands::token_list::every_token;
use crate::failure::Failure;

/// `mcp connections`
#[derive(Args, Debug)]
#[command(
    after_help = "Works beside a running server. `token disable` and `token revoke` stop a connection.\n\nExample:\n  \
                  svc-server mcp connections --account acc_… --json"
)]
pub(crate) struct Connections {
    /// Only those of this company
    #[arg(long, value_name = "ID")]
    account: Option<AccountId>,
}

/// A connection as it is listed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    id: TokenId,
    name: String,
    client: String,
    role: ConnectionRole,
    state: &'static str,
    account_id: AccountId,
    user_id: Option<UserId>,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    last_used_at: Option<Timestamp>,
}

impl Connections {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::look(context).await?;
        let now = operator.now;
        let read = every_token(&operator, self.account).await;
        let tokens = operator.close(read).await?;
        let listed: Vec<_> = tokens.into_iter().filter_map(|token| Listed::of(token, now)).collect();
        let rows = listed.iter().map(Listed::row).collect();
        let headings = ["id", "name", "role", "state", "account", "person", "last used", "client"];
        context.output.table(&serde_json::json!({"items": listed}), &headings, rows);
        Ok(())
    }
}

impl Listed {
    /// The connection, if the credential is one.
    fn of(token: Token, now: Timestamp) -> Option<Self> {
        let state = token.status(now).name();
        let connection = token.connection?;
        Some(Self {
            id: token.id,
            name: token.name,
            client: connection.client.to_string(),
            role: connection.role,
            state,
            account_id: token.primary,
            user_id: token.created_by,
            created_at: token.created_at,
            expires_at: token.expires_at,
            last_used_at: token.last_used_at,
        })
    }

    fn row(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            self.name.clone(),
            self.role.to_string(),
            self.state.to_owned(),
            self.account_id.to_string(),
            self.user_id.map(|user| user.to_string()).unwrap_or_default(),
            self.last_used_at.map_or_else(|| "never".to_owned(), |at| at.to_string()),
            self.client.clone(),
        ]
    }
}
