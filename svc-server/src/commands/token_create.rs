//! `token create`: makes an API token.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_auth::token::{self, CreateRequest};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId};

use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::Answer;

/// `token create`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(
    after_help = "Examples:\n  svc-server token create --account acc_… --creator ana@example.com --name 'Web shop' \
                        \\\n      --permission contacts:contacts.read --permission developers:webhooks.create\n  \
                        svc-server token create --account acc_… --creator usr_… --name Reports --permission read \\\n      \
                        --allowed-ip 203.0.113.0/24 --expires-at 2027-01-01T00:00:00Z --json"
)]
pub(crate) struct Create {
    /// Primary account: its limits and events are the token's
    #[arg(long, value_name = "ID")]
    account: AccountId,
    /// Holder or administrator in whose name it works: id or e-mail address
    #[arg(long, value_name = "USER")]
    creator: String,
    /// Name of the integration
    #[arg(long)]
    name: String,
    /// What it may do: a permission, a wildcard, or the levels `read` and `full` (repeatable)
    #[arg(long = "permission", value_name = "PERMISSION", required = true)]
    permissions: Vec<String>,
    /// Let it see personal data in full
    #[arg(long)]
    personal_data: bool,
    /// Where it may be used from: address or CIDR range (repeatable) [default: anywhere]
    #[arg(long = "allowed-ip", value_name = "CIDR")]
    allowed_ips: Vec<String>,
    /// When it stops working, as 2027-01-01T00:00:00Z [default: never]
    #[arg(long, value_name = "INSTANT")]
    expires_at: Option<Timestamp>,
    /// Another company within its reach (repeatable)
    #[arg(long = "company", value_name = "ID")]
    companies: Vec<AccountId>,
    /// A whole group within its reach, later members too; the creator holds or administers its parent company (repeatable)
    #[arg(long = "group", value_name = "ID")]
    groups: Vec<GroupId>,
}

impl Create {
    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let unit = operator.begin().await?;
        let request = CreateRequest {
            creator: Some(operator.person(unit.as_ref(), &self.creator).await?),
            name: self.name,
            permissions: self.permissions,
            personal_data: self.personal_data,
            allowed_ips: self.allowed_ips,
            expires_at: self.expires_at,
            primary: self.account,
            companies: self.companies,
            groups: self.groups,
        };
        let peppers = operator.store.keys.peppers();
        let (token, value) =
            token::create(unit.as_ref(), operator.call(), request, &peppers, &operator.policy).await?;
        operator.commit(unit).await?;
        Ok(Answer::new(
            &json!({"id": token.id, "token": value.expose()}),
            format!(
                "id     {}\ntoken  {}\n\nThe token is shown only now: keep it in a secrets store.",
                token.id,
                value.expose()
            ),
        ))
    }
}
