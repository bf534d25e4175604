//! The names of objects in the bucket.

use object_store::path::Path;
use svc_core::content::Digest;
use svc_core::id::AccountId;

/// What the name of an upload's id ends with.
const ID: &str = ".upload";

/// Keys below the prefix of a store.
#[derive(Debug)]
pub(super) struct Keys(Path);

impl Keys {
    /// Keys below this prefix, which may be empty.
    pub(super) fn below(prefix: Path) -> Self {
        Self(prefix)
    }

    pub(super) fn company(&self, company: AccountId) -> Path {
        self.0.clone().join("content").join(company.to_string())
    }

    pub(super) fn content(&self, company: AccountId, digest: Digest) -> Path {
        self.company(company).join(digest.to_string())
    }

    pub(super) fn uploads(&self) -> Path {
        self.0.clone().join("quarantine")
    }

    /// Where the parts of an upload become an object.
    pub(super) fn upload(&self, name: &str) -> Path {
        self.uploads().join(name)
    }

    /// Where the id of an upload's parts is written.
    pub(super) fn id_of_upload(&self, name: &str) -> Path {
        self.uploads().join(format!("{name}{ID}"))
    }
}

/// The digest that a key ends with.
pub(super) fn digest(key: &Path) -> Option<Digest> {
    key.filename()?.parse().ok()
}

/// The name of the upload whose id is at this key; `None` for another key.
pub(super) fn upload_of_id(key: &Path) -> Option<&str> {
    key.filename()?.strip_suffix(ID)
}
