//! `token list`: which tokens there are; their values are kept nowhere.

use clap::Args;
use serde::Serialize;
use svc_auth::token::{ConnectionRole, Token};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::page::PageRules;

use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::failure::Failure;

/// `token list`
#[derive(Args, Debug)]
#[command(
    after_help = "Works beside a running server.\n\nExample:\n  svc-server token list --account acc_… --json"
)]
pub(crate) struct List {
    /// Only those with this primary account
    #[arg(long, value_name = "ID")]
    account: Option<AccountId>,
}

/// A token as it is listed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    id: TokenId,
    name: String,
    r#type: &'static str,
    role: Option<ConnectionRole>,
    state: &'static str,
    prefix: String,
    primary_account_id: AccountId,
    account_ids: Vec<AccountId>,
    group_ids: Vec<GroupId>,
    permissions: Vec<String>,
    personal_data: bool,
    allowed_ips: Vec<String>,
    created_by: Option<UserId>,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    last_used_at: Option<Timestamp>,
}

impl List {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::look(context).await?;
        let now = operator.now;
        let read = every_token(&operator, self.account).await;
        let tokens: Vec<_> =
            operator.close(read).await?.into_iter().map(|token| Listed::of(token, now)).collect();
        let rows = tokens.iter().map(Listed::row).collect();
        let headings = ["id", "name", "type", "state", "starts with", "account", "permissions", "last used"];
        context.output.table(&serde_json::json!({"items": tokens}), &headings, rows);
        Ok(())
    }
}

/// Every credential of all companies, or of one, page by page.
pub(crate) async fn every_token(
    operator: &Operator,
    account: Option<AccountId>,
) -> Result<Vec<Token>, Failure> {
    let call = operator.call();
    let scope = match account {
        Some(account) => call.scope.only(account).expect("an operator reaches every company"),
        None => call.scope.clone(),
    };
    let auth = operator.store.database.auth();
    let mut tokens = Vec::new();
    for number in 1.. {
        let request = PageRules::USUAL.page(Some(number), Some(PageRules::USUAL.max));
        let request = request.expect("pages count from 1");
        let page = auth.tokens().page(&scope, request).await?;
        let more = page.has_more();
        tokens.extend(page.items);
        if !more {
            break;
        }
    }
    Ok(tokens)
}

impl Listed {
    fn of(token: Token, now: Timestamp) -> Self {
        Self {
            id: token.id,
            r#type: if token.connection.is_some() { "mcp" } else { "api" },
            role: token.connection.as_ref().map(|connection| connection.role),
            state: token.status(now).name(),
            primary_account_id: token.primary,
            account_ids: token.companies.iter().copied().collect(),
            group_ids: token.groups.iter().copied().collect(),
            permissions: token.grants.written().to_vec(),
            personal_data: token.personal_data,
            allowed_ips: token.allowed_ips.written(),
            created_by: token.created_by,
            created_at: token.created_at,
            expires_at: token.expires_at,
            last_used_at: token.last_used_at,
            name: token.name,
            prefix: token.prefix,
        }
    }

    fn row(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            self.name.clone(),
            self.role.map_or_else(|| self.r#type.to_owned(), |role| format!("{} {role}", self.r#type)),
            self.state.to_owned(),
            format!("{}…", self.prefix),
            self.primary_account_id.to_string(),
            self.permissions.join(" "),
            self.last_used_at.map_or_else(|| "never".to_owned(), |at| at.to_string()),
        ]
    }
}
