//! What the cache may save and what it must never hide.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use svc_auth::authenticate::{Access, Denied};
use svc_auth::limit::Limits;
use svc_auth::ports::{AccountDirectory, AuthStorage, AuthUnit, CompanyStanding, Standing, TokenReader};
use svc_auth::token::{Fingerprint, Token, TokenValue};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;
use svc_testkit::auth::MemoryAuth;
use svc_testkit::auth::verbs::{disable, revoke};
use tokio::sync::Semaphore;

use crate::test_app::{TestApp, bearer};

const A_MINUTE_AND_A_BIT: Duration = Duration::from_millis(60_100);

#[tokio::test]
async fn a_warm_check_asks_the_store_nothing() {
    let app = TestApp::new();
    let header = app.header(app.request()).await;
    app.admit(&header).await.unwrap();
    let before = app.storage.reads();
    for _ in 0..100 {
        app.admit(&header).await.unwrap();
    }
    app.clock.advance(Duration::from_millis(59_999));
    app.admit(&header).await.unwrap();
    assert_eq!(app.storage.reads(), before);
}

#[tokio::test]
async fn a_lost_role_is_effective_after_a_minute() {
    let app = TestApp::new();
    let header = app.header(app.request()).await;
    app.admit(&header).await.unwrap();
    app.storage.put_standing(app.ada, app.acme, Standing::Former);
    app.clock.advance(A_MINUTE_AND_A_BIT);
    assert!(matches!(app.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn a_lost_role_is_effective_after_a_minute_although_the_store_is_down() {
    let app = TestApp::new();
    let header = app.header(app.request()).await;
    app.admit(&header).await.unwrap();
    app.storage.put_standing(app.ada, app.acme, Standing::Former);
    app.storage.set_down(true);
    app.clock.advance(Duration::from_secs(59));
    assert!(app.admit(&header).await.is_ok());
    app.clock.advance(Duration::from_millis(1_100));
    for _ in 0..3 {
        assert!(matches!(app.admit(&header).await, Err(Denied::Store(_))));
    }
    app.storage.set_down(false);
    assert!(matches!(app.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn using_a_token_all_the_time_does_not_keep_its_entry_alive() {
    let app = TestApp::new();
    let header = app.header(app.request()).await;
    app.admit(&header).await.unwrap();
    app.storage.put_standing(app.ada, app.acme, Standing::Former);
    for _ in 0..59 {
        app.clock.advance(Duration::from_secs(1));
        assert!(app.admit(&header).await.is_ok());
    }
    app.clock.advance(Duration::from_secs(1));
    assert!(matches!(app.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn a_clock_that_was_set_back_makes_an_entry_stale() {
    let app = TestApp::new();
    let header = app.header(app.request()).await;
    app.admit(&header).await.unwrap();
    app.storage.put_standing(app.ada, app.acme, Standing::Former);
    app.clock.turn_back(Duration::from_hours(1));
    assert!(matches!(app.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn an_unknown_token_is_not_looked_up_again_for_five_seconds() {
    let app = TestApp::new();
    let stranger = bearer(&TokenValue::generate(&app.random));
    let mut reads = Vec::new();
    for wait in [0, 0, 4_900, 100, 0] {
        app.clock.advance(Duration::from_millis(wait));
        let before = app.storage.reads();
        assert!(matches!(app.admit(&stranger).await, Err(Denied::TokenInvalid)));
        reads.push(app.storage.reads() - before);
    }
    assert_eq!(reads, [1, 0, 0, 1, 0]);
}

#[tokio::test]
async fn invented_tokens_push_no_real_one_out() {
    let app = TestApp::new().with_failures(NonZeroU32::MAX);
    let header = app.header(app.request()).await;
    app.admit(&header).await.unwrap();
    for _ in 0..12_000 {
        let invention = bearer(&TokenValue::generate(&app.random));
        assert!(matches!(app.admit(&invention).await, Err(Denied::TokenInvalid)));
    }
    let before = app.storage.reads();
    app.admit(&header).await.unwrap();
    assert_eq!(app.storage.reads(), before);
}

#[tokio::test]
async fn a_token_that_was_asked_for_just_before_its_creation_works_after_forget() {
    // Two worlds make the same first value from the same randomness.
    let header = {
        let twin = TestApp::new();
        twin.header(twin.request()).await
    };
    let app = TestApp::new();
    assert!(matches!(app.admit(&header).await, Err(Denied::TokenInvalid)));
    assert_eq!(app.header(app.request()).await, header);
    assert!(matches!(app.admit(&header).await, Err(Denied::TokenInvalid)));
    app.authenticator.forget();
    assert!(app.admit(&header).await.is_ok());
}

#[tokio::test]
async fn a_change_is_effective_on_the_acting_node_at_once() {
    let app = TestApp::new();
    let (token, value) = app.create(app.request()).await;
    app.admit(&bearer(&value)).await.unwrap();
    let unit = app.unit().await;
    revoke(&*unit, app.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    app.authenticator.forget();
    assert!(matches!(app.admit(&bearer(&value)).await, Err(Denied::TokenRevoked)));
}

#[tokio::test]
async fn a_change_by_another_node_is_effective_with_the_next_refresh() {
    let app = TestApp::new();
    let (token, value) = app.create(app.request()).await;
    app.authenticator.refresh().await.unwrap();
    app.admit(&bearer(&value)).await.unwrap();
    let before = app.storage.reads();
    app.authenticator.refresh().await.unwrap();
    app.admit(&bearer(&value)).await.unwrap();
    assert_eq!(app.storage.reads(), before + 1, "only the version was read");

    let unit = app.unit().await;
    disable(&*unit, app.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    app.storage.set_down(true);
    assert!(app.authenticator.refresh().await.is_err());
    app.storage.set_down(false);
    app.authenticator.refresh().await.unwrap();
    assert!(matches!(app.admit(&bearer(&value)).await, Err(Denied::TokenDisabled)));
}

#[tokio::test]
async fn what_was_cached_before_the_first_refresh_does_not_survive_it() {
    let app = TestApp::new();
    let header = app.header(app.request()).await;
    app.admit(&header).await.unwrap();
    app.storage.put_standing(app.ada, app.acme, Standing::Former);
    app.authenticator.refresh().await.unwrap();
    assert!(matches!(app.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn fifty_requests_that_miss_wait_for_one_read() {
    let (app, gate) = gated();
    let header = app.header(app.request()).await;
    for _ in 0..2 {
        let before = gate.lookups();
        let asking = join_all((0..50).map(|_| app.admit(&header)));
        let ((), answers) = tokio::join!(gate.let_one_through(), asking);
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
        assert_eq!(gate.lookups() - before, 1);
        // The second round starts from an entry that is out of date.
        app.clock.advance(A_MINUTE_AND_A_BIT);
    }
}

#[tokio::test]
async fn requests_that_waited_for_a_failed_read_share_the_failure_and_the_next_one_reads_again() {
    let (app, gate) = gated();
    let header = app.header(app.request()).await;
    app.storage.set_down(true);
    let asking = join_all((0..10).map(|_| app.admit(&header)));
    let ((), answers) = tokio::join!(gate.let_one_through(), asking);
    assert!(answers.iter().all(|answer| matches!(answer, Err(Denied::Store(_)))), "{answers:?}");
    assert_eq!(gate.lookups(), 1);
    app.storage.set_down(false);
    let ((), answer) = tokio::join!(gate.let_one_through(), app.admit(&header));
    assert!(answer.is_ok());
}

#[tokio::test]
async fn a_read_that_began_before_forget_is_not_used_after_it() {
    let (app, gate) = gated();
    let (token, value) = app.create(app.request()).await;
    let header = bearer(&value);
    let slow = tokio::spawn({
        let (authenticator, header) = (Arc::clone(&app.authenticator), header.clone());
        async move { authenticator.admit(Some(&header), Access::AnyToken, None).await }
    });
    gate.wait_for_one().await;
    // The read has its rows and is not back yet.
    let unit = app.unit().await;
    revoke(&*unit, app.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    app.authenticator.forget();
    gate.release.add_permits(1);
    assert!(slow.await.unwrap().is_ok(), "this request began before the change");

    let ((), after) = tokio::join!(gate.let_one_through(), app.admit(&header));
    assert!(matches!(after, Err(Denied::TokenRevoked)), "{after:?}");
}

#[tokio::test]
async fn a_read_that_takes_a_minute_is_out_of_date_when_it_arrives() {
    let (app, gate) = gated();
    let header = app.header(app.request()).await;
    let stall = async {
        for _ in 0..2 {
            gate.wait_for_one().await;
            app.clock.advance(A_MINUTE_AND_A_BIT);
            gate.release.add_permits(1);
        }
    };
    let ((), answer) = tokio::join!(stall, app.admit(&header));
    assert!(matches!(answer, Err(Denied::Store(StoreError::Busy))), "{answer:?}");
}

#[tokio::test]
async fn a_request_that_is_given_up_during_its_read_leaves_the_others_going() {
    let (app, gate) = gated();
    let header = app.header(app.request()).await;
    let given_up = tokio::spawn({
        let (authenticator, header) = (Arc::clone(&app.authenticator), header.clone());
        async move { authenticator.admit(Some(&header), Access::AnyToken, None).await }
    });
    gate.wait_for_one().await;
    given_up.abort();
    assert!(given_up.await.unwrap_err().is_cancelled());
    let ((), answer) = tokio::join!(gate.let_one_through(), app.admit(&header));
    assert!(answer.is_ok());
}

#[tokio::test]
async fn a_store_that_finds_the_wrong_token_lets_no_caller_in() {
    let (token, _) = {
        let twin = TestApp::new();
        twin.create(twin.request()).await
    };
    let (app, gate) = gate_that_answers(Some(token));
    let stranger = bearer(&TokenValue::generate(&crate::test_app::Counted::from(99)));
    let ((), answer) = tokio::join!(gate.let_one_through(), app.admit(&stranger));
    assert!(matches!(answer, Err(Denied::TokenInvalid)), "{answer:?}");
}

/// A world whose look-ups by fingerprint stop at a gate, rows in hand.
pub(crate) fn gated() -> (TestApp, Arc<Gate>) {
    gate_that_answers(None)
}

fn gate_that_answers(answer: Option<Token>) -> (TestApp, Arc<Gate>) {
    let storage = MemoryAuth::new();
    let gate = Arc::new(Gate {
        inner: storage.clone(),
        arrived: Semaphore::new(0),
        release: Semaphore::new(0),
        lookups: AtomicUsize::new(0),
        answer,
    });
    let seen = Arc::clone(&gate) as Arc<dyn AuthStorage>;
    (TestApp::over(seen, storage, Limits::default()), gate)
}

pub(crate) struct Gate {
    inner: MemoryAuth,
    arrived: Semaphore,
    release: Semaphore,
    lookups: AtomicUsize,
    /// What every look-up finds.
    answer: Option<Token>,
}

impl Gate {
    pub(crate) fn lookups(&self) -> usize {
        self.lookups.load(Ordering::SeqCst)
    }

    pub(crate) async fn wait_for_one(&self) {
        // Only so that a read that never comes is a failure, not a test without end.
        let arrived = tokio::time::timeout(Duration::from_secs(10), self.arrived.acquire()).await;
        arrived.expect("the store is not read").unwrap().forget();
    }

    /// Stops no look-up from now on.
    pub(crate) fn open(&self) {
        self.release.add_permits(10_000);
    }

    async fn let_one_through(&self) {
        self.wait_for_one().await;
        self.release.add_permits(1);
    }
}

#[async_trait]
impl AuthStorage for Gate {
    async fn begin(&self) -> Result<Box<dyn AuthUnit>, StoreError> {
        self.inner.begin().await
    }

    fn tokens(&self) -> &dyn TokenReader {
        self
    }

    fn directory(&self) -> &dyn AccountDirectory {
        self
    }
}

#[async_trait]
impl TokenReader for Gate {
    async fn find(&self, id: TokenId) -> Result<Option<Token>, StoreError> {
        self.inner.find(id).await
    }

    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Token>, StoreError> {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        let found = match &self.answer {
            Some(token) => Ok(Some(token.clone())),
            None => self.inner.find_by_fingerprint(candidates).await,
        };
        self.arrived.add_permits(1);
        self.release.acquire().await.unwrap().forget();
        found
    }

    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Token>, StoreError> {
        self.inner.page(scope, page).await
    }

    async fn connections_of(&self, person: UserId, at_most: usize) -> Result<Vec<Token>, StoreError> {
        self.inner.connections_of(person, at_most).await
    }

    async fn authority_version(&self) -> Result<Option<i64>, StoreError> {
        self.inner.authority_version().await
    }
}

#[async_trait]
impl AccountDirectory for Gate {
    async fn standings(
        &self,
        person: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        self.inner.standings(person, companies, groups).await
    }
}
