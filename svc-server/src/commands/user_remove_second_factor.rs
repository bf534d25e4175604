//! `user remove-second-factor`: for a person who has lost the device and the recovery codes.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_auth::session::remove_second_factor;

use crate::commands::operator::Operator;
use crate::failure::Failure;
use crate::output::Answer;

/// `user remove-second-factor`
#[derive(Args, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[command(
    after_help = "The password alone signs the person in afterwards, and all their sessions end. Make sure that it \
                  is the person who asks for it.\n\nExample:\n  svc-server user remove-second-factor ana@example.com"
)]
pub(crate) struct RemoveSecondFactor {
    /// Whose: id or e-mail address
    #[arg(value_name = "USER")]
    user: String,
}

impl RemoveSecondFactor {
    pub(crate) async fn work(self, operator: &Operator) -> Result<Answer, Failure> {
        let unit = operator.begin().await?;
        let user = operator.person(unit.as_ref(), &self.user).await?;
        remove_second_factor(unit.as_ref(), operator.call(), user).await?;
        operator.commit(unit).await?;
        Ok(Answer::new(&json!({"userId": user}), format!("{user} signs in with the password alone")))
    }
}
