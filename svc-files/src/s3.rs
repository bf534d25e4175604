//! Content in a bucket of S3, or of what speaks its protocol.
//!
//! ```text
//! PREFIX/content/COMPANY/DIGEST             contents
//! PREFIX/quarantine/BEGUN-RANDOM            an upload's object, while it is copied to its digest
//! PREFIX/quarantine/BEGUN-RANDOM.upload     the id of the upload's parts, for the sweep
//! ```
//!
//! 1. What fits into one part is kept in memory, and put at its digest in one request.
//! 2. Of anything larger the digest is known only at its end, and S3 has no rename. So its parts go to a key in quarantine;
//!    their id is written beside it before the first part is sent, since parts that are not completed are in no list.
//! 3. Finishing completes the parts, copies the object to its digest, and removes what is in quarantine. Where the content
//!    is already, it is put or copied again: the bytes are the same, and the content is new again.
//! 4. The sweep reads the ids of old uploads, aborts their parts, and removes both keys.
//!
//! S3 cannot delete a content on the condition that it is old. So between the look at its time and its deletion, one round
//! trip, an upload of the same bytes may make it new again, and lose it.

mod address;
mod connector;
mod download;
mod keys;
mod stall;
mod tls;
mod upload;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::aws::AmazonS3;
use object_store::multipart::MultipartStore as _;
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, ObjectMeta, ObjectStore as _, ObjectStoreExt as _};
use secrecy::SecretString;
use svc_core::clock::{Clock, Timestamp};
use svc_core::content::{Content, ContentError, ContentStore, Digest, Download, Stored, Upload};
use svc_core::id::AccountId;
use svc_core::random::RandomSource;

use self::download::S3Download;
use self::keys::Keys;
use self::upload::S3Upload;
use crate::files::OpenError;
use crate::quarantine;
use crate::verified::Verified;

/// Keeps content in a bucket; clones share their connections.
///
/// The time of a content is by the clock of the bucket, in whole seconds, that of an upload by the clock given. A content
/// has 5 GiB at most, which is what S3 copies in one request.
#[derive(Clone)]
pub struct S3Store {
    bucket: Arc<AmazonS3>,
    keys: Arc<Keys>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn RandomSource>,
}

/// Bytes of the largest object that S3 copies in one request.
const MOST: u64 = 5 * 1024 * 1024 * 1024;

/// What a client of S3 signs its requests with.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The id of the key.
    pub access_key_id: String,
    /// The key.
    pub secret_access_key: SecretString,
    /// The token that comes with a key for a short time.
    pub session_token: Option<SecretString>,
}

impl S3Store {
    /// A store at `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`; the prefix and the parameters may be left out.
    ///
    /// Without `credentials` those of the environment are taken: `AWS_ACCESS_KEY_ID` with `AWS_SECRET_ACCESS_KEY`, or
    /// those of the container, of the web identity or of the instance. What the address leaves out is taken from
    /// `AWS_ENDPOINT_URL` and `AWS_REGION`. Certificates are checked against the roots of browsers, and those in the file
    /// `AWS_CA_BUNDLE`. An endpoint in the clear beyond this machine needs the parameter `allow_http=true`.
    ///
    /// # Errors
    /// [`OpenError`], which says how the address or the environment is mended.
    pub fn open(
        address: &str,
        credentials: Option<Credentials>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn RandomSource>,
    ) -> Result<Self, OpenError> {
        let (bucket, keys) = address::open(address, credentials)?;
        Ok(Self { bucket: Arc::new(bucket), keys: Arc::new(keys), clock, random })
    }

    async fn head(&self, key: &Path) -> Result<Option<ObjectMeta>, ContentError> {
        match self.bucket.head(key).await {
            Ok(meta) => Ok(Some(meta)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(ContentError::backend(error)),
        }
    }

    /// Deletes an object, if it is there.
    async fn remove(&self, key: &Path) -> Result<(), ContentError> {
        match self.bucket.delete(key).await {
            Err(Error::NotFound { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(ContentError::backend(error)),
        }
    }

    /// Removes what is left of an upload in quarantine: its parts, its object, and the id last.
    async fn discard(&self, upload: &str, id: &String) -> Result<(), ContentError> {
        let object = self.keys.upload(upload);
        match self.bucket.abort_multipart(&object, id).await {
            Err(Error::NotFound { .. }) | Ok(()) => {}
            Err(error) => return Err(ContentError::backend(error)),
        }
        self.remove(&object).await?;
        self.remove(&self.keys.id_of_upload(upload)).await
    }
}

#[async_trait]
impl ContentStore for S3Store {
    async fn begin(&self, company: AccountId, limit: u64) -> Result<Box<dyn Upload>, ContentError> {
        let name = quarantine::name(self.clock.now(), &*self.random);
        Ok(Box::new(S3Upload::new(self.clone(), company, limit, name)))
    }

    async fn read(
        &self,
        company: AccountId,
        digest: Digest,
        range: Option<Range<u64>>,
    ) -> Result<Box<dyn Download>, ContentError> {
        let key = self.keys.content(company, digest);
        let Some(range) = range else {
            let opened = self.bucket.get_opts(&key, GetOptions::default()).await.map_err(failed)?;
            return Ok(Box::new(Verified::new(S3Download::new(opened), digest)));
        };
        // Servers may read the places as signed numbers.
        let range = range.start..range.end.min(MOST);
        if range.start < range.end {
            let wanted =
                GetOptions { range: Some(GetRange::Bounded(range.clone())), ..GetOptions::default() };
            let refused = match self.bucket.get_opts(&key, wanted).await {
                Ok(opened) => return Ok(Box::new(S3Download::new(opened))),
                Err(error) => failed(error),
            };
            // S3 refuses a range beyond the end (RFC 9110, section 15.5.17), which here is an empty one.
            return match self.head(&key).await? {
                Some(meta) if meta.size <= range.start => Ok(Box::new(S3Download::empty(meta.size))),
                Some(_) => Err(refused),
                None => Err(ContentError::Missing),
            };
        }
        let meta = self.head(&key).await?.ok_or(ContentError::Missing)?;
        Ok(Box::new(S3Download::empty(meta.size)))
    }

    async fn find(&self, company: AccountId, digest: Digest) -> Result<Option<Stored>, ContentError> {
        let meta = self.head(&self.keys.content(company, digest)).await?;
        Ok(meta.map(|meta| stored(digest, &meta)))
    }

    async fn list(
        &self,
        company: AccountId,
        after: Option<Digest>,
        limit: usize,
    ) -> Result<Vec<Stored>, ContentError> {
        let folder = self.keys.company(company);
        let objects = match after {
            Some(after) => self.bucket.list_with_offset(Some(&folder), &self.keys.content(company, after)),
            None => self.bucket.list(Some(&folder)),
        };
        // What another program put here is no content.
        let contents = objects.try_filter_map(async |meta| {
            Ok(keys::digest(&meta.location).map(|digest| stored(digest, &meta)))
        });
        contents.take(limit).try_collect().await.map_err(failed)
    }

    async fn delete(&self, company: AccountId, digest: Digest) -> Result<(), ContentError> {
        self.remove(&self.keys.content(company, digest)).await
    }

    async fn delete_stored_before(
        &self,
        company: AccountId,
        digest: Digest,
        instant: Timestamp,
    ) -> Result<bool, ContentError> {
        let is_old = self.find(company, digest).await?.is_some_and(|stored| stored.at < instant);
        if is_old {
            self.delete(company, digest).await?;
        }
        Ok(is_old)
    }

    async fn delete_all(&self, company: AccountId) -> Result<u64, ContentError> {
        let objects = self.bucket.list(Some(&self.keys.company(company)));
        let deleted = self.bucket.delete_stream(objects.map_ok(|meta| meta.location).boxed());
        deleted.try_fold(0, async |count: u64, _| Ok(count.saturating_add(1))).await.map_err(failed)
    }

    async fn sweep(&self, begun_before: Timestamp) -> Result<u64, ContentError> {
        let mut objects = self.bucket.list(Some(&self.keys.uploads()));
        let mut swept = 0;
        while let Some(meta) = objects.try_next().await.map_err(failed)? {
            let Some(upload) = keys::upload_of_id(&meta.location) else { continue };
            if quarantine::begun(upload).is_some_and(|begun| begun < begun_before) {
                let id = match self.bucket.get(&meta.location).await {
                    Ok(found) => found.bytes().await.map_err(failed)?,
                    // It was finished meanwhile.
                    Err(Error::NotFound { .. }) => continue,
                    Err(error) => return Err(failed(error)),
                };
                self.discard(upload, &String::from_utf8_lossy(&id).into_owned()).await?;
                swept += 1;
            }
        }
        Ok(swept)
    }
}

impl fmt::Debug for S3Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Store").field("keys", &self.keys).finish_non_exhaustive()
    }
}

fn stored(digest: Digest, meta: &ObjectMeta) -> Stored {
    // Some servers tell more than seconds in lists, and none does in headers.
    let at = Timestamp::from_unix_seconds(meta.last_modified.timestamp());
    Stored { content: Content { digest, size: meta.size }, at }
}

/// An object that is not there is a content that is missing, and parts that are not there are an upload that was swept.
fn failed(error: Error) -> ContentError {
    if matches!(error, Error::NotFound { .. }) { ContentError::Missing } else { ContentError::backend(error) }
}
