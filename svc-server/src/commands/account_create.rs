//! `account create`: founds a company.

use clap::Args;
use serde_json::json;
use svc_business::account::{self, Account, FoundRequest};

use crate::commands::Context;
use crate::commands::company::Company;
use crate::commands::operator::Operator;
use crate::failure::Failure;

/// `account create`
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  svc-server account create --legal-name 'Luna SA' --legal-form sa --holder ana@example.com"
)]
pub(crate) struct Create {
    #[command(flatten)]
    company: Company,
    /// Who holds it: id or e-mail address of a user
    #[arg(long, value_name = "USER")]
    holder: String,
}

impl Create {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::open(context).await?;
        let founded = self.work(&operator).await;
        let account = operator.close(founded).await?;
        context.output.either(&json!({"accountId": account.id}), || account.id.to_string());
        Ok(())
    }

    async fn work(self, operator: &Operator) -> Result<Account, Failure> {
        let unit = operator.begin().await?;
        let holder = operator.person(unit.as_ref(), &self.holder).await?;
        let request = FoundRequest { input: self.company.input(), holder };
        let account = account::found(unit.as_ref(), operator.call(), request).await?;
        operator.commit(unit).await?;
        Ok(account)
    }
}
