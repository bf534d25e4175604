//! `group add`: adds a company to a group.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_business::group::{self, AddRequest};
use svc_core::id::{AccountId, GroupId};

use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::Answer;

/// `group add`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(
    after_help = "Tokens that name the whole group reach the company from then on.\n\nExample:\n  svc-server \
                        group add --group grp_… --account acc_… --ownership-percent 51.5"
)]
pub(crate) struct Add {
    /// The group
    #[arg(long, value_name = "ID")]
    group: GroupId,
    /// The company
    #[arg(long, value_name = "ID")]
    account: AccountId,
    /// Share that the group owns, in percent
    #[arg(long, value_name = "PERCENT")]
    ownership_percent: Option<String>,
}

impl Add {
    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let unit = operator.begin().await?;
        let Self { group, account, ownership_percent } = self;
        let request = AddRequest { group, account, ownership_percent };
        let group = group::add(unit.as_ref(), operator.call(), request).await?;
        operator.commit(unit).await?;
        Ok(Answer::new(
            &json!({"groupId": group.id, "accountId": account}),
            format!("{account} is in {}", group.id),
        ))
    }
}
