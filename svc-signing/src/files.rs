//! The files of companies, as envelopes need them.

use async_trait::async_trait;
use svc_business::document::file::{self, File, FileLink, Made};
use svc_business::ports::DynBusinessUnit;
use svc_business::record;
use svc_business::signature::{EnvelopeFiles, EnvelopeLink, FilePin, FileState, MadeFile};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, FileId, TypedId as _};
use svc_core::resource::Lock;
use svc_core::unit::CallContext;

use crate::{Judged, PDF};

/// The files of companies within the unit of work that changes an envelope.
#[derive(Clone, Copy)]
pub struct CompanyFiles<'a> {
    unit: &'a DynBusinessUnit,
    call: CallContext<'a>,
    judged: &'a Judged,
}

impl<'a> CompanyFiles<'a> {
    /// Those that this unit sees, of which these are judged.
    #[must_use]
    pub const fn new(unit: &'a DynBusinessUnit, call: CallContext<'a>, judged: &'a Judged) -> Self {
        Self { unit, call, judged }
    }

    fn state(&self, file: &File) -> Result<FileState, StoreError> {
        if file.is_deleted() {
            return Ok(FileState::Refused { code: "file_deleted", why: "the file was deleted".to_owned() });
        }
        // A version that came after the judging is judged by the next try.
        let version = file.versions.last().ok_or(StoreError::Conflict)?;
        Ok(match self.judged.version(version).ok_or(StoreError::Conflict)? {
            Ok(judged) => FileState::Signable(FilePin {
                version: version.number,
                sha256: version.content.digest,
                size: version.content.size,
                name: file.name.clone(),
                pages: judged.pages,
            }),
            Err(refused) => FileState::Refused { code: refused.code(), why: refused.to_string() },
        })
    }
}

impl std::fmt::Debug for CompanyFiles<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CompanyFiles").field("call", &self.call).finish_non_exhaustive()
    }
}

#[async_trait]
impl EnvelopeFiles for CompanyFiles<'_> {
    async fn states(
        &self,
        company: AccountId,
        files: &[FileId],
    ) -> Result<Vec<Option<FileState>>, StoreError> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let (unit, scope) = (self.unit, self.call.scope);
        let locks: Vec<_> = files.iter().map(|file| (file.uuid(), Lock::Shared)).collect();
        unit.accounts().find_locked(scope, company, Lock::Shared, &locks).await?;
        let found: Vec<File> = unit.files().find_all(scope, files).await?;
        let state = |id: &FileId| {
            let file = found.iter().find(|file| file.id == *id && file.company == company);
            file.map(|file| self.state(file)).transpose()
        };
        files.iter().map(state).collect()
    }

    async fn keep(&self, made: MadeFile) -> Result<FileId, StoreError> {
        let MadeFile { company, envelope, links, name, content } = made;
        let home = record::home::<File>(self.unit, self.call, company).await;
        let home = home.map_err(|refused| StoreError::backend(refused.to_string()))?;
        let link = |link| match link {
            EnvelopeLink::Case(id) => FileLink::Case(id),
            EnvelopeLink::Contact(id) => FileLink::Contact(id),
            EnvelopeLink::Invoice(id) => FileLink::Invoice(id),
        };
        let links =
            std::iter::once(FileLink::Envelope(envelope)).chain(links.into_iter().map(link)).collect();
        let kept = file::make(&home, Made { name, content, mime_type: PDF, links }).await;
        kept.map(|file| file.id).map_err(|refused| StoreError::backend(refused.to_string()))
    }
}
