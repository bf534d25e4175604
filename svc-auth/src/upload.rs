//! Links for uploads: an assistant has no bytes to send, so it asks for an address at which its person, or a program of
//! theirs, uploads one file without a token.
//!
//! An [`UploadLink`] stands for one upload that was asked for by a credential: what is said of the file was fixed then, and
//! what the credential may do is judged anew when the file comes. It ends fifteen minutes after it was made. Of its value a
//! fingerprint is kept, as of a token's. It is used once because the upload is done under [`UploadLink::key`], as a request
//! with an idempotency key is: the same file again gets the same answer, and another one is refused.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::hex::Hex;
use svc_core::id::TokenId;
use svc_core::mark::Mark;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::ports::OauthStorage;
use crate::principal::Principal;
use crate::token::{Fingerprint, Peppers, TokenValue};

/// What values of links start with.
pub const UPLOAD_MARK: Mark = Mark::of("mcp_up_");
/// How long a link works.
pub const UPLOAD_LIFE: Duration = Duration::from_mins(15);
/// Links of one credential that work at once.
pub const MOST_UPLOADS: u64 = 20;

/// One upload that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadLink {
    /// That of its value.
    pub fingerprint: Fingerprint,
    /// Which credential asked for it, and uploads.
    pub credential: TokenId,
    /// What is said of the file, in JSON.
    pub properties: String,
    /// When it stops working.
    pub until: Timestamp,
}

/// Why no link is made.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum UploadLinkError {
    /// [`MOST_UPLOADS`] work already.
    #[error("{MOST_UPLOADS} links for uploads are open already: use them, or wait fifteen minutes")]
    TooMany,
}

impl UploadLink {
    /// Whether it works at this instant.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.until
    }

    /// The idempotency key under which its upload is done once.
    #[must_use]
    pub fn key(&self) -> String {
        format!("upload-link-{}", Hex(&self.fingerprint.digest))
    }
}

/// Makes a link for a caller that may upload.
///
/// # Errors
/// [`UploadLinkError`], [`Refused::Store`]; nothing was made.
pub async fn make(
    storage: &dyn OauthStorage,
    call: CallContext<'_>,
    caller: &Principal,
    properties: String,
    peppers: &Peppers,
) -> Result<(TokenValue, UploadLink), Refused<UploadLinkError>> {
    let value = TokenValue::generate_marked(UPLOAD_MARK, call.random);
    let (fingerprint, until) = (peppers.fingerprint(&value), call.now.plus(UPLOAD_LIFE));
    let link = UploadLink { fingerprint, credential: caller.token, properties, until };
    let unit = storage.begin().await?;
    if unit.uploads().open_of(caller.token, call.now).await? >= MOST_UPLOADS {
        return Err(Refused::Own(UploadLinkError::TooMany));
    }
    unit.uploads().add(&link).await?;
    unit.commit().await?;
    Ok((value, link))
}

/// The link with this value, while it works.
///
/// # Errors
/// [`StoreError`].
pub async fn known(
    storage: &dyn OauthStorage,
    presented: &str,
    peppers: &Peppers,
    now: Timestamp,
) -> Result<Option<UploadLink>, StoreError> {
    let Ok(value) = TokenValue::parse_marked(UPLOAD_MARK, presented) else { return Ok(None) };
    let candidates = peppers.candidates(&value);
    let found = storage.uploads().by_fingerprint(&candidates).await?;
    Ok(found.filter(|link| link.is_live(now) && link.fingerprint.is_among(&candidates)))
}
