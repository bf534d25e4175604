//! `token disable`, `token enable`, `token revoke`: the moves of a token's life.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_auth::token;
use svc_core::id::TokenId;

use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::Answer;

/// The token that is meant.
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(
    after_help = "`svc-server token list` shows the ids. A server that runs follows at once with SQLite, \
                        and within seconds with PostgreSQL.\n\nExamples:\n  svc-server token disable \
                        tok_01jd3k8z6qw2f3v4x5y6z7a8b9\n  svc-server token enable tok_01jd3k8z6qw2f3v4x5y6z7a8b9\n  \
                        svc-server token revoke tok_01jd3k8z6qw2f3v4x5y6z7a8b9"
)]
pub(crate) struct Named {
    /// Id of the token
    id: TokenId,
}

/// What happens to it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Switched off.
    Disable,
    /// Switched on.
    Enable,
    /// Stopped for ever.
    Revoke,
}

impl Named {
    pub(crate) async fn work(self, step: Step, operator: &Operator) -> Result<Answer, Failure> {
        let unit = operator.begin().await?;
        let opened = operator.token(unit.as_ref(), self.id).await?;
        let token = match step {
            Step::Disable => token::disable(opened).await?,
            Step::Enable => token::enable(opened).await?,
            Step::Revoke => token::revoke(opened).await?,
        };
        operator.commit(unit).await?;
        let status = token.status(operator.now).name();
        Ok(Answer::new(&json!({"id": token.id, "status": status}), format!("{} is {status}", token.id)))
    }
}
