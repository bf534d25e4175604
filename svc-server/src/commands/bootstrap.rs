//! The first company, its holder and a Full token, in one commit.

use clap::Args;
use serde::{Deserialize, Serialize};
use svc_auth::token::{self, FullRequest};
use svc_business::account::BootstrapRequest;
use svc_business::founding;
use svc_business::user;
use svc_core::id::{AccountId, UserId};

use crate::commands::company::Company;
use crate::commands::operator::Operator;
use crate::commands::password;
use crate::failure::Failure;
use crate::output::Answer;

/// `bootstrap`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(
    after_help = "Works beside a running server too.\n\nExamples:\n  svc-server bootstrap --legal-name 'Ferretería Sol SL' --email ana@example.com\n  \
                        TOKEN=$(svc-server bootstrap --legal-name Demo --email a@example.com --json | jq -r .token)"
)]
pub(crate) struct Bootstrap {
    #[command(flatten)]
    company: Company,
    #[command(flatten)]
    holder: Holder,
    /// Name of the token
    #[arg(long, value_name = "NAME", default_value = "bootstrap")]
    token_name: String,
    /// Read the holder's password from standard input: 12 to 128 characters
    #[arg(long)]
    #[serde(skip)]
    password_stdin: bool,
    #[arg(skip)]
    password: Option<password::Typed>,
}

/// Who holds the company.
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Holder {
    /// E-mail address of the holder
    #[arg(long, value_name = "ADDRESS")]
    email: String,
    /// Full name of the holder
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Language of the holder's pages [default: es]
    #[arg(long, value_name = "TAG")]
    locale: Option<String>,
}

/// What was made; the token is shown here and never again.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Made {
    /// The company.
    pub(crate) account_id: AccountId,
    /// Its holder.
    pub(crate) user_id: UserId,
    /// The value of the token.
    pub(crate) token: String,
}

impl Bootstrap {
    /// A company for a demonstration.
    pub(crate) fn demonstration() -> Self {
        Self {
            company: Company::named("Ferretería Sol SL"),
            holder: Holder {
                email: "ana@example.com".to_owned(),
                name: Some("Ana Sol".to_owned()),
                locale: None,
            },
            token_name: "demo".to_owned(),
            password_stdin: false,
            password: None,
        }
    }

    /// The same with the holder's password, if there is to be one.
    pub(crate) fn with_password(self) -> Result<Self, Failure> {
        Ok(Self { password: self.password_stdin.then(password::read).transpose()?, ..self })
    }

    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let made = self.make(operator).await?;
        let text = format!(
            "company  {}\nholder   {}\ntoken    {}\n\nThe token is shown only now: keep it in a secrets store.",
            made.account_id, made.user_id, made.token
        );
        Ok(Answer::new(&made, text))
    }

    /// Makes everything in one commit.
    pub(crate) async fn make(self, operator: &Operator) -> Result<Made, Failure> {
        let password = password::hash(operator, self.password.as_ref()).await?;
        let unit = operator.begin().await?;
        let Holder { email, name, locale } = self.holder;
        let holder = user::CreateRequest { email, name, locale };
        let request = BootstrapRequest { input: self.company.input(), holder };
        let (account, holder) = founding::bootstrap(unit.as_ref(), operator.call(), request).await?;
        if let Some(password) = password {
            password.set(operator, unit.as_ref(), holder.id).await?;
        }
        let request = FullRequest { name: self.token_name, primary: account.id, creator: holder.id };
        let peppers = operator.store.keys.peppers();
        let made =
            token::create_full(unit.as_ref(), operator.call(), request, &peppers, &operator.policy).await;
        let (_, value) = made?;
        operator.commit(unit).await?;
        Ok(Made { account_id: account.id, user_id: holder.id, token: value.expose().to_owned() })
    }
}
