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
use svc_auth::token::{Fingerprint, Token, TokenValue, disable, revoke};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;
use svc_testkit::auth::MemoryAuth;
use tokio::sync::Semaphore;

use crate::world::{World, bearer};

const A_MINUTE_AND_A_BIT: Duration = Duration::from_millis(60_100);

#[tokio::test]
async fn a_warm_check_asks_the_store_nothing() {
    let world = World::new();
    let header = world.header(world.request()).await;
    world.admit(&header).await.unwrap();
    let before = world.storage.reads();
    for _ in 0..100 {
        world.admit(&header).await.unwrap();
    }
    world.clock.advance(Duration::from_millis(59_999));
    world.admit(&header).await.unwrap();
    assert_eq!(world.storage.reads(), before);
}

#[tokio::test]
async fn a_lost_role_is_effective_after_a_minute() {
    let world = World::new();
    let header = world.header(world.request()).await;
    world.admit(&header).await.unwrap();
    world.storage.put_standing(world.ada, world.acme, Standing::Former);
    world.clock.advance(A_MINUTE_AND_A_BIT);
    assert!(matches!(world.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn a_lost_role_is_effective_after_a_minute_although_the_store_is_down() {
    let world = World::new();
    let header = world.header(world.request()).await;
    world.admit(&header).await.unwrap();
    world.storage.put_standing(world.ada, world.acme, Standing::Former);
    world.storage.set_down(true);
    world.clock.advance(Duration::from_secs(59));
    assert!(world.admit(&header).await.is_ok());
    world.clock.advance(Duration::from_millis(1_100));
    for _ in 0..3 {
        assert!(matches!(world.admit(&header).await, Err(Denied::Store(_))));
    }
    world.storage.set_down(false);
    assert!(matches!(world.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn using_a_token_all_the_time_does_not_keep_its_entry_alive() {
    let world = World::new();
    let header = world.header(world.request()).await;
    world.admit(&header).await.unwrap();
    world.storage.put_standing(world.ada, world.acme, Standing::Former);
    for _ in 0..59 {
        world.clock.advance(Duration::from_secs(1));
        assert!(world.admit(&header).await.is_ok());
    }
    world.clock.advance(Duration::from_secs(1));
    assert!(matches!(world.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn a_clock_that_was_set_back_makes_an_entry_stale() {
    let world = World::new();
    let header = world.header(world.request()).await;
    world.admit(&header).await.unwrap();
    world.storage.put_standing(world.ada, world.acme, Standing::Former);
    world.clock.turn_back(Duration::from_hours(1));
    assert!(matches!(world.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn an_unknown_token_is_not_looked_up_again_for_five_seconds() {
    let world = World::new();
    let stranger = bearer(&TokenValue::generate(&world.random));
    let mut reads = Vec::new();
    for wait in [0, 0, 4_900, 100, 0] {
        world.clock.advance(Duration::from_millis(wait));
        let before = world.storage.reads();
        assert!(matches!(world.admit(&stranger).await, Err(Denied::TokenInvalid)));
        reads.push(world.storage.reads() - before);
    }
    assert_eq!(reads, [1, 0, 0, 1, 0]);
}

#[tokio::test]
async fn invented_tokens_push_no_real_one_out() {
    let world = World::new().with_failures(NonZeroU32::MAX);
    let header = world.header(world.request()).await;
    world.admit(&header).await.unwrap();
    for _ in 0..12_000 {
        let invention = bearer(&TokenValue::generate(&world.random));
        assert!(matches!(world.admit(&invention).await, Err(Denied::TokenInvalid)));
    }
    let before = world.storage.reads();
    world.admit(&header).await.unwrap();
    assert_eq!(world.storage.reads(), before);
}

#[tokio::test]
async fn a_token_that_was_asked_for_just_before_its_creation_works_after_forget() {
    // Two worlds make the same first value from the same randomness.
    let header = {
        let twin = World::new();
        twin.header(twin.request()).await
    };
    let world = World::new();
    assert!(matches!(world.admit(&header).await, Err(Denied::TokenInvalid)));
    assert_eq!(world.header(world.request()).await, header);
    assert!(matches!(world.admit(&header).await, Err(Denied::TokenInvalid)));
    world.authenticator.forget();
    assert!(world.admit(&header).await.is_ok());
}

#[tokio::test]
async fn a_change_is_effective_on_the_acting_node_at_once() {
    let world = World::new();
    let (token, value) = world.create(world.request()).await;
    world.admit(&bearer(&value)).await.unwrap();
    let unit = world.unit().await;
    revoke(&*unit, world.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    world.authenticator.forget();
    assert!(matches!(world.admit(&bearer(&value)).await, Err(Denied::TokenRevoked)));
}

#[tokio::test]
async fn a_change_by_another_node_is_effective_with_the_next_refresh() {
    let world = World::new();
    let (token, value) = world.create(world.request()).await;
    world.authenticator.refresh().await.unwrap();
    world.admit(&bearer(&value)).await.unwrap();
    let before = world.storage.reads();
    world.authenticator.refresh().await.unwrap();
    world.admit(&bearer(&value)).await.unwrap();
    assert_eq!(world.storage.reads(), before + 1, "only the version was read");

    let unit = world.unit().await;
    disable(&*unit, world.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    world.storage.set_down(true);
    assert!(world.authenticator.refresh().await.is_err());
    world.storage.set_down(false);
    world.authenticator.refresh().await.unwrap();
    assert!(matches!(world.admit(&bearer(&value)).await, Err(Denied::TokenDisabled)));
}

#[tokio::test]
async fn what_was_cached_before_the_first_refresh_does_not_survive_it() {
    let world = World::new();
    let header = world.header(world.request()).await;
    world.admit(&header).await.unwrap();
    world.storage.put_standing(world.ada, world.acme, Standing::Former);
    world.authenticator.refresh().await.unwrap();
    assert!(matches!(world.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn fifty_requests_that_miss_wait_for_one_read() {
    let (world, gate) = gated();
    let header = world.header(world.request()).await;
    for _ in 0..2 {
        let before = gate.lookups();
        let asking = join_all((0..50).map(|_| world.admit(&header)));
        let ((), answers) = tokio::join!(gate.let_one_through(), asking);
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
        assert_eq!(gate.lookups() - before, 1);
        // The second round starts from an entry that is out of date.
        world.clock.advance(A_MINUTE_AND_A_BIT);
    }
}

#[tokio::test]
async fn requests_that_waited_for_a_failed_read_share_the_failure_and_the_next_one_reads_again() {
    let (world, gate) = gated();
    let header = world.header(world.request()).await;
    world.storage.set_down(true);
    let asking = join_all((0..10).map(|_| world.admit(&header)));
    let ((), answers) = tokio::join!(gate.let_one_through(), asking);
    assert!(answers.iter().all(|answer| matches!(answer, Err(Denied::Store(_)))), "{answers:?}");
    assert_eq!(gate.lookups(), 1);
    world.storage.set_down(false);
    let ((), answer) = tokio::join!(gate.let_one_through(), world.admit(&header));
    assert!(answer.is_ok());
}

#[tokio::test]
async fn a_read_that_began_before_forget_is_not_used_after_it() {
    let (world, gate) = gated();
    let (token, value) = world.create(world.request()).await;
    let header = bearer(&value);
    let slow = tokio::spawn({
        let (authenticator, header) = (Arc::clone(&world.authenticator), header.clone());
        async move { authenticator.admit(Some(&header), Access::AnyToken, None).await }
    });
    gate.wait_for_one().await;
    // The read has its rows and is not back yet.
    let unit = world.unit().await;
    revoke(&*unit, world.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    world.authenticator.forget();
    gate.release.add_permits(1);
    assert!(slow.await.unwrap().is_ok(), "this request began before the change");

    let ((), after) = tokio::join!(gate.let_one_through(), world.admit(&header));
    assert!(matches!(after, Err(Denied::TokenRevoked)), "{after:?}");
}

#[tokio::test]
async fn a_read_that_takes_a_minute_is_out_of_date_when_it_arrives() {
    let (world, gate) = gated();
    let header = world.header(world.request()).await;
    let stall = async {
        for _ in 0..2 {
            gate.wait_for_one().await;
            world.clock.advance(A_MINUTE_AND_A_BIT);
            gate.release.add_permits(1);
        }
    };
    let ((), answer) = tokio::join!(stall, world.admit(&header));
    assert!(matches!(answer, Err(Denied::Store(StoreError::Busy))), "{answer:?}");
}

#[tokio::test]
async fn a_request_that_is_given_up_during_its_read_leaves_the_others_going() {
    let (world, gate) = gated();
    let header = world.header(world.request()).await;
    let given_up = tokio::spawn({
        let (authenticator, header) = (Arc::clone(&world.authenticator), header.clone());
        async move { authenticator.admit(Some(&header), Access::AnyToken, None).await }
    });
    gate.wait_for_one().await;
    given_up.abort();
    assert!(given_up.await.unwrap_err().is_cancelled());
    let ((), answer) = tokio::join!(gate.let_one_through(), world.admit(&header));
    assert!(answer.is_ok());
}

#[tokio::test]
async fn a_store_that_finds_the_wrong_token_lets_nobody_in() {
    let (token, _) = {
        let twin = World::new();
        twin.create(twin.request()).await
    };
    let (world, gate) = gate_that_answers(Some(token));
    let stranger = bearer(&TokenValue::generate(&crate::world::Counted::from(99)));
    let ((), answer) = tokio::join!(gate.let_one_through(), world.admit(&stranger));
    assert!(matches!(answer, Err(Denied::TokenInvalid)), "{answer:?}");
}

/// A world whose look-ups by fingerprint stop at a gate, rows in hand.
pub(crate) fn gated() -> (World, Arc<Gate>) {
    gate_that_answers(None)
}

fn gate_that_answers(answer: Option<Token>) -> (World, Arc<Gate>) {
    let storage = MemoryAuth::new();
    let gate = Arc::new(Gate {
        inner: storage.clone(),
        arrived: Semaphore::new(0),
        release: Semaphore::new(0),
        lookups: AtomicUsize::new(0),
        answer,
    });
    let seen = Arc::clone(&gate) as Arc<dyn AuthStorage>;
    (World::over(seen, storage, Limits::default()), gate)
}

pub(crate) struct Gate {
    inner: MemoryAuth,
    arrived: Semaphore,
    release: Semaphore,
    lookups: AtomicUsize,
    /// What every look-up finds, whatever was asked for.
    answer: Option<Token>,
}

impl Gate {
    pub(crate) fn lookups(&self) -> usize {
        self.lookups.load(Ordering::SeqCst)
    }

    pub(crate) async fn wait_for_one(&self) {
        // Only so that a read that never comes is a failure, not a test without end.
        let arrived = tokio::time::timeout(Duration::from_secs(10), self.arrived.acquire()).await;
        arrived.expect("nobody reads the store").unwrap().forget();
    }

    /// Stops nobody from now on.
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

    async fn authority_version(&self) -> Result<i64, StoreError> {
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
