//! `user create`: adds a person.

use clap::Args;
use serde_json::json;
use svc_auth::session::PasswordText;
use svc_business::user::{self, CreateRequest, User};

use crate::commands::operator::Operator;
use crate::commands::{Context, password};
use crate::failure::Failure;

/// `user create`
#[derive(Args, Debug)]
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
    password_stdin: bool,
}

impl Create {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let password = self.password_stdin.then(password::read).transpose()?;
        let operator = Operator::open(context).await?;
        let added = self.work(&operator, password).await;
        let user = operator.close(added).await?;
        context.output.either(&json!({"userId": user.id}), || user.id.to_string());
        Ok(())
    }

    async fn work(self, operator: &Operator, password: Option<PasswordText>) -> Result<User, Failure> {
        let unit = operator.begin().await?;
        let Self { email, name, locale, .. } = self;
        let user =
            user::create(unit.as_ref(), operator.call(), CreateRequest { email, name, locale }).await?;
        if let Some(password) = password {
            password::set(operator, unit.as_ref(), user.id, &password).await?;
        }
        operator.commit(unit).await?;
        Ok(user)
    }
}
