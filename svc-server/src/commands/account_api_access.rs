//! `account api-access`: whether tokens can be made for a company.

use clap::{Args, ValueEnum};
use serde_json::json;
use svc_business::account::{self, Account};
use svc_core::id::AccountId;

use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::failure::Failure;

/// `account api-access`
#[derive(Args, Debug)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    /// Tokens can be made.
    On,
    /// No token can be made.
    Off,
}

impl ApiAccess {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::open(context).await?;
        let switched = self.work(&operator).await;
        let account = operator.close(switched).await?;
        context.output.either(&json!({"accountId": account.id, "apiAccess": account.api_access}), || {
            format!("API access of {} is {}", account.id, if account.api_access { "on" } else { "off" })
        });
        Ok(())
    }

    async fn work(self, operator: &Operator) -> Result<Account, Failure> {
        let unit = operator.begin().await?;
        let on = self.switch == Switch::On;
        let account = account::set_api_access(unit.as_ref(), operator.call(), self.account, on).await?;
        operator.commit(unit).await?;
        Ok(account)
    }
}
