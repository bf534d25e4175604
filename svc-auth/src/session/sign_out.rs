//! Signing out.

use svc_core::error::StoreError;

use crate::ports::SessionStorage;
use crate::session::SignedIn;

/// Ends the session; its value is worth nothing from now on.
///
/// # Errors
/// When the store failed: the session goes on.
pub async fn sign_out(storage: &dyn SessionStorage, signed_in: &SignedIn) -> Result<(), StoreError> {
    let unit = storage.begin().await?;
    unit.sessions().delete(signed_in.session().id).await?;
    unit.commit().await
}
