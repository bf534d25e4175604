//! Links that reset passwords, for the mails that have them.

use async_trait::async_trait;
use svc_auth::session::{self, PasswordReset};
use svc_core::error::StoreError;
use svc_core::id::UserId;
use svc_mail::ResetLinks;

use crate::wiring::Wiring;

#[async_trait]
impl ResetLinks for Wiring {
    async fn draw(&self, user: UserId) -> Result<(String, u64), StoreError> {
        let (sessions, peppers) = (self.store.database.sessions(), self.store.keys.peppers());
        let now = self.clock.now();
        let value = session::offer_reset(&*sessions, &peppers, user, now, &*self.random).await?;
        let page = format!("{}/reset/{}", self.public_url.trim_end_matches('/'), value.expose());
        Ok((page, PasswordReset::OPEN_FOR.as_secs() / 60))
    }
}
