//! `account api-access`: whether tokens can be made for a company.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_business::account;
use svc_core::id::AccountId;

use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::Answer;

/// `account api-access`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(
    after_help = "When it is off, tokens cannot be made, edited or rotated; those that exist keep working.\n\n\
                        Example:\n  svc-server account api-access off --account acc_01jd3k8z6qw2f3v4x5y6z7a8b9"
)]
pub(crate) struct ApiAccess {
    /// on or off
    switch: Switch,
    /// The company
    #[arg(long, value_name = "ID")]
    account: AccountId,
}

/// On or off.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "camelCase")]
enum Switch {
    /// Tokens can be made.
    On,
    /// No token can be made.
    Off,
}

impl ApiAccess {
    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let unit = operator.begin().await?;
        let on = self.switch == Switch::On;
        let account = account::set_api_access(unit.as_ref(), operator.call(), self.account, on).await?;
        operator.commit(unit).await?;
        Ok(Answer::new(
            &json!({"accountId": account.id, "apiAccess": account.api_access}),
            format!("API access of {} is {}", account.id, if account.api_access { "on" } else { "off" }),
        ))
    }
}
