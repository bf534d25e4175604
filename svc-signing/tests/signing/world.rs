//! A company with files and envelopes, on a SQLite file of the test's own.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use svc_business::document::file::{self, File, FileInput, Uploaded};
use svc_business::job::{Job, JobKind, Run};
use svc_business::ports::{BusinessStorage, DynBusinessUnit};
use svc_business::record::{self, Opened};
use svc_business::signature::machine::EnvelopeRefused;
use svc_business::signature::operations::{self, Ceremony, Sending};
use svc_business::signature::{Envelope, EnvelopeInput, SignRequest};
use svc_core::audit::Actor;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{AccountId, EnvelopeId, FileId, TypedId as _};
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_signing::{CompanyFiles, Judged, SealKey, Sealing, carry_out};
use svc_storage_seaorm::{Database, Keys, Settings, Synchronous};
use svc_testkit::business::{envelopes::key, sample};
use svc_testkit::content::{MemoryContent, upload};
use svc_testkit::fakes::{ManualClock, SeededRandom};
use tempfile::TempDir;

pub(crate) struct World {
    pub(crate) storage: Arc<dyn BusinessStorage>,
    pub(crate) contents: MemoryContent,
    pub(crate) company: AccountId,
    database: Database,
    scope: Scope,
    actor: Actor,
    random: SeededRandom,
    _folder: TempDir,
}

type Done<T> = Result<T, Refused<EnvelopeRefused>>;

/// The key of seals.
pub(crate) fn seal_key() -> SealKey {
    SealKey::new(3, [4; 32])
}

impl World {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let settings = Settings::new(url, Keys::new(1, [7; 32])).sqlite_synchronous(Synchronous::Normal);
        let database = Database::open(&settings).await.unwrap();
        database.migrate(sample::at(0)).await.unwrap();
        let (storage, company) = (database.business(), sample::bare_account(1));
        let unit = storage.begin().await.unwrap();
        unit.accounts().insert(&sample::everything(), &company).await.unwrap();
        unit.commit().await.unwrap();
        Self {
            storage,
            contents: MemoryContent::new(Arc::new(ManualClock::at(sample::at(0)))),
            company: company.id,
            database,
            scope: sample::everything(),
            actor: Actor::service("test"),
            random: SeededRandom::new(11),
            _folder: folder,
        }
    }

    pub(crate) fn call(&self, now: Timestamp) -> CallContext<'_> {
        let access = PiiAccess::Masked;
        CallContext { scope: &self.scope, access, actor: &self.actor, now, random: &self.random }
    }

    /// A file of the company with this content.
    pub(crate) async fn file(&self, name: &str, mime_type: &str, bytes: &[u8]) -> File {
        let content = upload(&self.contents, self.company, bytes).await.unwrap();
        let uploaded = Uploaded {
            name: Some(name.to_owned()),
            content,
            kept_for: self.company,
            mime_type: mime_type.to_owned(),
        };
        let unit = self.storage.begin().await.unwrap();
        let call = self.call(sample::at(0));
        let home = record::home::<File>(unit.as_ref(), call, self.company).await.unwrap();
        let made = file::create(home, uploaded, FileInput::default()).await.unwrap();
        unit.commit().await.unwrap();
        made
    }

    /// What the files of an envelope are judged to be.
    pub(crate) async fn judged(&self, files: &[FileId]) -> Judged {
        Judged::of(&*self.storage, &self.contents, &self.scope, files).await.unwrap()
    }

    /// Does this in a unit of work, which commits when it was done.
    pub(crate) async fn within<T, E>(
        &self,
        now: Timestamp,
        work: impl AsyncFnOnce(&DynBusinessUnit, CallContext<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let unit = self.storage.begin().await.unwrap();
        let done = work(unit.as_ref(), self.call(now)).await?;
        unit.commit().await.unwrap();
        Ok(done)
    }

    /// An envelope with these files that was sent to Ana, and to Luis for a copy.
    pub(crate) async fn sent(&self, files: &[FileId], links: Value) -> Done<Envelope> {
        let named: Vec<_> = files.iter().map(|file| json!({ "fileId": file })).collect();
        let input: EnvelopeInput = serde_json::from_value(json!({
            "subject": "Arrendamiento", "files": named, "links": links, "language": "es",
            "signers": [{"name": "Ana", "email": "ana@example.com"},
                {"name": "Luis", "email": "luis@example.com", "role": "copy"}],
        }))
        .unwrap();
        let (judged, key) = (self.judged(files).await, key());
        self.within(sample::at(10), async |unit, call| {
            let files = CompanyFiles::new(unit, call, &judged);
            let home = record::home::<Envelope>(unit, call, self.company).await.map_err(Refused::widen)?;
            let before = operations::create(home, &files, &input).await.map_err(Refused::widen)?;
            let home = record::home::<Envelope>(unit, call, self.company).await.map_err(Refused::widen)?;
            operations::send(Opened { home, before }, Sending { files: &files, key: &key }).await
        })
        .await
    }

    /// Ana opens the documents and signs, which completes the envelope.
    pub(crate) async fn sign(&self, envelope: &Envelope) -> Envelope {
        let link = envelope.signers[0].access.unwrap().hash;
        let who = Ceremony { link, user_agent: Some("Browser/1.0") };
        let request: SignRequest = serde_json::from_value(json!({
            "consent": true, "signature": {"kind": "drawn", "strokes": [[[0, 0], [50, 20]], [[10, 30]]]},
        }))
        .unwrap();
        let id = envelope.id;
        self.on(20, id, async |opened| operations::view(opened, &who).await).await.unwrap();
        self.on(30, id, async |opened| operations::sign(opened, &who, &request).await).await.unwrap()
    }

    pub(crate) async fn on<T>(
        &self,
        seconds: i64,
        id: EnvelopeId,
        work: impl AsyncFnOnce(Opened<'_, Envelope>) -> Done<T>,
    ) -> Done<T> {
        self.within(sample::at(seconds), async |unit, call| {
            let opened = record::alone::<Envelope>(unit, call, id, &[], &Expected::Any).await;
            work(opened.map_err(Refused::widen)?).await
        })
        .await
    }

    /// The jobs of sealing that are due, taken by a worker for a while.
    pub(crate) async fn claim(&self, seconds: i64) -> Vec<Job> {
        self.claim_of(JobKind::EnvelopeSeal, seconds).await
    }

    /// The same of any kind.
    pub(crate) async fn claim_of(&self, kind: JobKind, seconds: i64) -> Vec<Job> {
        let unit = self.storage.begin().await.unwrap();
        let (now, until) = (sample::at(seconds), sample::at(seconds + 100));
        let claimed = unit.jobs().claim(kind, now, until, 9).await.unwrap();
        unit.commit().await.unwrap();
        claimed
    }

    /// Runs a job with these contents.
    pub(crate) async fn run(&self, job: &Job, seconds: i64) -> Result<(), StoreError> {
        let (key, at) = (seal_key(), sample::at(seconds));
        let with = Sealing { contents: &self.contents, key: &key, platform: None };
        let run = |outcome, note| Run { at, took: Duration::ZERO, outcome, note };
        carry_out(&*self.storage, with, self.call(at), job, run).await.map(drop)
    }

    pub(crate) async fn envelope(&self, id: EnvelopeId) -> Envelope {
        self.storage.envelopes().find(&self.scope, id).await.unwrap().unwrap()
    }

    pub(crate) async fn record(&self, id: FileId) -> File {
        self.storage.files().find(&self.scope, id).await.unwrap().unwrap()
    }

    /// The types of the events that were committed.
    pub(crate) async fn events(&self) -> Vec<String> {
        let waiting = self.database.webhooks().queue().waiting(1_000).await.unwrap();
        let name = |(_, event): (_, Event)| event.kind.name().to_owned();
        waiting.events.into_iter().map(name).collect()
    }

    /// An id that names no file.
    pub(crate) fn unknown(&self) -> FileId {
        FileId::generate(sample::at(0), &self.random)
    }
}
