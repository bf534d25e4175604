//! Takes the notices that wait in the folder of the settings.

use std::time::Duration;

use svc_business::notice::connector::{NoticeConnector, Round, take};
use svc_core::audit::Actor;
use svc_core::error::{StoreError, chain};
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use tokio_util::sync::CancellationToken;

use super::wait;
use crate::wiring::Wiring;

/// From one look to the next.
const EVERY: Duration = Duration::from_secs(5);

/// Runs until shutdown.
pub(crate) async fn run(wiring: Wiring, connector: impl NoticeConnector, asked: CancellationToken) {
    while wait(EVERY, &asked).await {
        match round(&wiring, &connector).await {
            Ok(Round { recorded: 0, known: 0, refused: 0 }) => {}
            Ok(Round { recorded, known, refused }) => {
                tracing::info!(recorded, known, refused, "notices were taken from their folder");
            }
            Err(error) => tracing::warn!("notices cannot be taken from their folder: {}", chain(&error)),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "each notice names its company, and who may write into the folder may record it"
)]
async fn round(wiring: &Wiring, connector: &dyn NoticeConnector) -> Result<Round, StoreError> {
    let scope =
        Scope::system("each notice names its company, and who may write into the folder may record it");
    let actor = Actor::service("notice_folder");
    let (now, random) = (wiring.clock.now(), &*wiring.random);
    let call = CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random };
    take(&*wiring.store.database.business(), connector, call).await
}
