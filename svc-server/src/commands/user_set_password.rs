//! `user set-password`: gives a person another password.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::commands::operator::Operator;
use crate::commands::password;
use crate::failure::Failure;
use crate::output::Answer;

/// `user set-password`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(after_help = "All sessions of the person end.\n\nExample:\n  \
                  pass show svc/ana | svc-server user set-password ana@example.com --password-stdin")]
pub(crate) struct SetPassword {
    /// Whose: id or e-mail address
    #[arg(value_name = "USER")]
    user: String,
    /// Read the password from standard input: 12 to 128 characters
    #[arg(long, required = true)]
    #[serde(skip)]
    password_stdin: bool,
    #[arg(skip)]
    password: Option<password::Typed>,
}

impl SetPassword {
    /// The same with the password.
    pub(crate) fn with_password(self) -> Result<Self, Failure> {
        Ok(Self { password: Some(password::read()?), ..self })
    }

    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let password = password::hash(operator, self.password.as_ref()).await?;
        let password = password.ok_or_else(|| Failure::usage("password_missing", "there is no password"))?;
        let unit = operator.begin().await?;
        let user = operator.person(unit.as_ref(), &self.user).await?;
        password.set(operator, unit.as_ref(), user).await?;
        operator.commit(unit).await?;
        Ok(Answer::new(&json!({"userId": user}), format!("{user} signs in with the new password")))
    }
}
