//! `token rotate`: gives a token a new value.

use clap::Args;
use serde_json::json;
use svc_auth::token::{self, Token, TokenValue};
use svc_core::id::TokenId;

use crate::commands::Context;
use crate::commands::operator::Operator;
use crate::failure::Failure;

/// `token rotate`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  svc-server token rotate tok_01jd3k8z6qw2f3v4x5y6z7a8b9 --json")]
pub(crate) struct Rotate {
    /// Id of the token
    id: TokenId,
}

impl Rotate {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let operator = Operator::open(context).await?;
        let rotated = self.work(&operator).await;
        let (token, value) = operator.close(rotated).await?;
        context.output.either(&json!({"id": token.id, "token": value.expose()}), || {
            format!(
                "token  {}\n\nThe new value is shown only now; the old one has stopped working.",
                value.expose()
            )
        });
        Ok(())
    }

    async fn work(self, operator: &Operator) -> Result<(Token, TokenValue), Failure> {
        let unit = operator.begin().await?;
        let peppers = operator.store.keys.peppers();
        let rotated = token::rotate(unit.as_ref(), operator.call(), self.id, &peppers).await?;
        operator.commit(unit).await?;
        Ok(rotated)
    }
}
