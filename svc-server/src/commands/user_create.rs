//! `user create`: adds a person.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_business::user::{self, CreateRequest};

use crate::commands::operator::Operator;
use crate::commands::password;
use crate::failure::Failure;
use crate::output::Answer;

/// `user create`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(after_help = "Example:\n  svc-server user create --email luis@example.com --name 'Luis Luna'")]
pub(crate) struct Create {
    /// E-mail address
    #[arg(long, value_name = "ADDRESS")]
    email: String,
    /// Full name [default: the start of the e-mail address]
    #[arg(long)]
    name: Option<String>,
    /// Language of the pages [default: es]
    #[arg(long, value_name = "TAG")]
    locale: Option<String>,
    /// Read the person's password from standard input: 12 to 128 characters
    #[arg(long)]
    #[serde(skip)]
    password_stdin: bool,
    #[arg(skip)]
    password: Option<password::Typed>,
}

impl Create {
    /// The same with the password, if there is to be one.
    pub(crate) fn with_password(self) -> Result<Self, Failure> {
        Ok(Self { password: self.password_stdin.then(password::read).transpose()?, ..self })
    }

    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let password = password::hash(operator, self.password.as_ref()).await?;
        let unit = operator.begin().await?;
        let Self { email, name, locale, .. } = self;
        let user =
            user::create(unit.as_ref(), operator.call(), CreateRequest { email, name, locale }).await?;
        if let Some(password) = password {
            password.set(operator, unit.as_ref(), user.id).await?;
        }
        operator.commit(unit).await?;
        Ok(Answer::new(&json!({"userId": user.id}), user.id.to_string()))
    }
}
