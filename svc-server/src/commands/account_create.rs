//! `account create`: founds a company.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_business::account::FoundRequest;
use svc_business::founding;

use crate::commands::company::Company;
use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::Answer;

/// `account create`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
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
    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let unit = operator.begin().await?;
        let holder = operator.person(unit.as_ref(), &self.holder).await?;
        let request = FoundRequest { input: self.company.input(), holder };
        let account = founding::found(unit.as_ref(), operator.call(), request).await?;
        operator.commit(unit).await?;
        Ok(Answer::new(&json!({"accountId": account.id}), account.id.to_string()))
    }
}
