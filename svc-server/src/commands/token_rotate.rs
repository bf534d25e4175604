//! `token rotate`: gives a token a new value.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_auth::token;
use svc_core::id::TokenId;

use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::Answer;

/// `token rotate`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(after_help = "Example:\n  svc-server token rotate tok_01jd3k8z6qw2f3v4x5y6z7a8b9 --json")]
pub(crate) struct Rotate {
    /// Id of the token
    id: TokenId,
}

impl Rotate {
    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let unit = operator.begin().await?;
        let peppers = operator.store.keys.peppers();
        let (token, value) = token::rotate(operator.token(unit.as_ref(), self.id).await?, &peppers).await?;
        operator.commit(unit).await?;
        Ok(Answer::new(
            &json!({"id": token.id, "token": value.expose()}),
            format!(
                "token  {}\n\nThe new value is shown only now; the old one has stopped working.",
                value.expose()
            ),
        ))
    }
}
