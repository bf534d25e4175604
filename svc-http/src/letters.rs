//! Mail that people get from the service itself, sent by jobs.

use svc_business::user::PersonLetter;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::UserId;

use crate::app::App;

impl App {
    /// Puts the job that sends a letter.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn put_letter(&self, letter: &PersonLetter, now: Timestamp) -> Result<(), StoreError> {
        let job = letter.job(now, &*self.random)?;
        let unit = self.business.begin().await?;
        unit.jobs().put(&[job]).await?;
        unit.commit().await
    }

    /// Tells a person by mail that their password was changed, which it is whatever becomes of the mail.
    pub async fn tell_password_changed(&self, user: UserId, by_link: bool, now: Timestamp) {
        if let Err(error) = self.put_letter(&PersonLetter::PasswordChanged { user, by_link }, now).await {
            tracing::warn!(%user, %error, "a person is not told that their password was changed");
        }
    }
}
