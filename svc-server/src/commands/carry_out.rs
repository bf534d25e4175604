//! Who carries out a change: this process, or the server that has the database.

use std::sync::Arc;

use crate::admin_socket::{self, Opened};
use crate::commands::Context;
use crate::commands::change::Change;
use crate::commands::operator::Operator;
use crate::failure::Failure;

/// Has a change carried out by the process that has the database, and prints what came of it.
pub(crate) async fn carry_out(change: Change, context: &Context) -> Result<(), Failure> {
    let settings = context.settings(Vec::new())?;
    let answer = match admin_socket::open(&settings, change.schema()).await? {
        Opened::Here(store) => {
            let operator = Operator::at(Arc::new(store), settings.policy);
            let done = change.carry_out(&operator).await;
            operator.close(done).await?
        }
        Opened::ByServer { server, .. } => server?.ask(change).await?,
    };
    context.output.answer(&answer);
    Ok(())
}
