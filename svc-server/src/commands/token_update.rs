//! `token update`: changes what a token is called and may do.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_auth::token::{self, UpdateRequest};
use svc_core::id::TokenId;

use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::Answer;

/// `token update`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(
    after_help = "What is not named stays as it is; companies, groups and expiry are fixed at creation.\n\n\
                  Examples:\n  svc-server token update tok_… --permission contacts:contacts.read --permission \
                  sales:*.read\n  svc-server token update tok_… --allowed-ip 203.0.113.0/24 --personal-data false"
)]
pub(crate) struct Update {
    /// Id of the token
    #[arg(value_name = "ID")]
    token: TokenId,
    /// Name of the integration
    #[arg(long)]
    name: Option<String>,
    /// What it may do, in place of what it might: a permission, a wildcard, `read` or `full` (repeatable)
    #[arg(long = "permission", value_name = "PERMISSION")]
    permissions: Vec<String>,
    /// Whether it sees personal data in full
    #[arg(long, value_name = "BOOL")]
    personal_data: Option<bool>,
    /// Where it may be used from, in place of the list before: address or CIDR range (repeatable)
    #[arg(long = "allowed-ip", value_name = "CIDR", conflicts_with = "any_ip")]
    allowed_ips: Vec<String>,
    /// Let it be used from anywhere
    #[arg(long)]
    any_ip: bool,
}

impl Update {
    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let id = self.token;
        let Some(request) = self.request() else {
            return Err(Failure::usage("nothing_to_update", "nothing to change is named").hint("see --help"));
        };
        let unit = operator.begin().await?;
        let token =
            token::update(operator.token(unit.as_ref(), id).await?, request, &operator.policy).await?;
        operator.commit(unit).await?;
        let permissions = token.grants.written();
        Ok(Answer::new(
            &json!({
                "id": token.id,
                "name": token.name,
                "permissions": permissions,
                "personalData": token.personal_data,
                "allowedIps": token.allowed_ips.written(),
            }),
            format!("{} {} may {}", token.id, token.name, permissions.join(" ")),
        ))
    }

    /// What is to change; `None` for nothing.
    fn request(self) -> Option<UpdateRequest> {
        let some = |list: Vec<String>| Some(list).filter(|list| !list.is_empty());
        let request = UpdateRequest {
            name: self.name,
            permissions: some(self.permissions),
            personal_data: self.personal_data,
            allowed_ips: if self.any_ip { Some(Vec::new()) } else { some(self.allowed_ips) },
        };
        Some(request).filter(|request| *request != UpdateRequest::default())
    }
}
