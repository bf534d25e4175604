//! `user set-password`: gives a person another password.

use clap::Args;
use serde_json::json;
use svc_core::id::UserId;

use crate::commands::operator::Operator;
use crate::commands::{Context, password};
use crate::failure::Failure;

/// `user set-password`
#[derive(Args, Debug)]
#[command(after_help = "Whoever is signed in as this person is signed out.\n\nExample:\n  \
                  pass show svc/ana | svc-server user set-password ana@example.com --password-stdin")]
pub(crate) struct SetPassword {
    /// Whose: id or e-mail address
    #[arg(value_name = "USER")]
    user: String,
    /// Read the password from standard input: 12 to 128 characters
    #[arg(long, required = true)]
    password_stdin: bool,
}

impl SetPassword {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let password = password::read()?;
        let operator = Operator::open(context).await?;
        let set = self.work(&operator, &password).await;
        let user = operator.close(set).await?;
        context.output.either(&json!({"userId": user}), || format!("{user} signs in with the new password"));
        Ok(())
    }

    async fn work(
        &self,
        operator: &Operator,
        password: &svc_auth::session::PasswordText,
    ) -> Result<UserId, Failure> {
        let unit = operator.begin().await?;
        let user = operator.person(unit.as_ref(), &self.user).await?;
        password::set(operator, unit.as_ref(), user, password).await?;
        operator.commit(unit).await?;
        Ok(user)
    }
}
