//! A form that is sent twice takes effect once.
//!
//! A form that makes something carries a random text. What was made with it is kept beside the change, in its commit, as
//! the API keeps the reply of a request with an `Idempotency-Key`: the same form sent again leads to what the first one
//! made. A form that was corrected is another one.

use std::time::Duration;

use http::StatusCode;
use sha2::{Digest, Sha256};
use svc_core::error::StoreError;
use svc_core::hex::Hex;
use svc_core::idempotency::{Caller, Claim, Fence, Reply, RequestHash, RequestKey};
use svc_core::random::{self, RandomSource};
use svc_core::unit::UnitOfWork;
use svc_http::visit::{Form, Visit, Visitor};
use svc_http::{Code, Problem};

/// The field with the digest of what was shown.
const REVIEWED: &str = "reviewed";
/// So often a second sending looks whether the first one has ended.
const LOOKS: u32 = 40;
const PAUSE: Duration = Duration::from_millis(250);

/// What came of a form that may have been sent before.
pub(crate) enum Once {
    /// It was not.
    First(Sending),
    /// It was: this was kept of what it made, mostly its path.
    Again(String),
}

/// The right to let a form take effect.
pub(crate) struct Sending {
    key: RequestKey,
    fence: Fence,
}

/// The random text of a new form.
pub(crate) fn mark(random: &dyn RandomSource) -> String {
    random::base62(&random::bytes::<16>(random))
}

/// Claims the form of this visit.
pub(crate) async fn claim(visit: &Visit, visitor: &Visitor) -> Result<Once, Problem> {
    let mut digest = Sha256::new();
    add(&mut digest, visit.uri().path_and_query().map_or("", |whole| whole.as_str()));
    for (name, values) in visit.form().fields() {
        add(&mut digest, name);
        for value in values {
            add(&mut digest, value);
        }
    }
    let digest: [u8; 32] = digest.finalize().into();
    let key = format!("form-{}", Hex(&digest));
    let key = RequestKey { caller: Caller::Session(visitor.signed_in().session().id), key };
    for look in 0..LOOKS {
        if look > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        match visit.app().idempotency.claim(&key, RequestHash(digest), visit.now()).await? {
            Claim::Held(fence) => return Ok(Once::First(Sending { key, fence })),
            Claim::Done(reply) => {
                let path =
                    reply.headers.into_iter().find(|(name, _)| name == "location").map(|(_, path)| path);
                return Ok(Once::Again(path.unwrap_or_else(|| "/".to_owned())));
            }
            // The browser shows the answer to the second sending alone, so that one waits for what the first makes.
            Claim::Running => {}
            Claim::Reused => break,
        }
    }
    Err(Problem::new(Code::IdempotencyInProgress, "the same form is being worked on"))
}

/// What a form says beside which of its buttons was pressed, to be held against what was shown to its person.
pub(crate) fn digest(form: &Form) -> String {
    let mut digest = Sha256::new();
    let said = form.fields().filter(|(name, _)| !["csrf", "once", "step", REVIEWED].contains(name));
    for (name, values) in said {
        for value in values.iter().map(|value| value.trim()).filter(|value| !value.is_empty()) {
            add(&mut digest, name);
            add(&mut digest, &value.replace('\r', ""));
        }
    }
    let digest: [u8; 32] = digest.finalize().into();
    Hex(&digest).to_string()
}

/// Lengths keep the parts apart.
fn add(digest: &mut Sha256, part: &str) {
    digest.update((part.len() as u64).to_be_bytes());
    digest.update(part);
}

/// Whether a form says something else than what was shown to its person before they sent it for good.
pub(crate) fn is_changed(form: &Form) -> bool {
    let reviewed = form.text(REVIEWED);
    !reviewed.is_empty() && reviewed != digest(form)
}

impl Sending {
    /// Commits what was done, with the path of what came of it; what was refused is forgotten, so that the form may be
    /// sent again.
    pub(crate) async fn settle<T: Send, E: From<StoreError> + Send>(
        self,
        visit: &Visit,
        unit: Box<dyn UnitOfWork>,
        done: Result<T, E>,
        path: impl FnOnce(&T) -> String + Send,
    ) -> Result<T, E> {
        let done = match done {
            Ok(done) => done,
            Err(refused) => {
                drop(unit);
                visit.app().idempotency.release(&self.key, self.fence).await?;
                return Err(refused);
            }
        };
        let reply = Reply {
            status: StatusCode::SEE_OTHER.as_u16(),
            headers: vec![("location".to_owned(), path(&done))],
            masked: Vec::new(),
            full: None,
            companies: Vec::new(),
        };
        unit.replies().keep(&self.key, self.fence, &reply).await?;
        unit.commit().await?;
        Ok(done)
    }
}
