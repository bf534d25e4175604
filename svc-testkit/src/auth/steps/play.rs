//! A history as the use cases of svc-auth live it over a storage.

mod calls;
mod observe;
mod refusal;
mod world;

use svc_auth::ports::AuthUnit;
use svc_auth::token::{Peppers, Policy, TokenValue};
use svc_core::audit::{Actor, Who};
use svc_core::clock::Timestamp;
use svc_core::id::{SessionId, TokenId};
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;

use self::world::Ids;
use super::directory::Directory;
use super::history::{Caller, History, LATE, Pick, START, Step, shifted};
use super::transcript::{Answer, Transcript};
use crate::auth::AuthFixture;
use crate::business::sample::{everything, id};
use crate::catalogue::policy;
use crate::fakes::SeededRandom;

/// What is seen of a history on this storage.
///
/// `number` keeps histories on one storage apart: the same one makes the same ids and values.
pub async fn play(fixture: &dyn AuthFixture, number: u32, history: &History) -> Transcript {
    let mut player = Player {
        fixture,
        ids: Ids::of(number),
        random: SeededRandom::new(u64::from(number)),
        peppers: world::peppers(),
        policy: Policy { longest_life: history.longest_life, ..policy() },
        now: START,
        directory: Directory::new(),
        tokens: Vec::new(),
    };
    player.settle().await;
    let mut moments = Vec::new();
    for (wait, step) in &history.steps {
        player.now = player.now.plus(*wait);
        let answer = player.take(step).await;
        moments.push(player.moment(answer).await);
    }
    Transcript { moments, logs: player.logs().await }
}

struct Player<'a> {
    fixture: &'a dyn AuthFixture,
    ids: Ids,
    random: SeededRandom,
    peppers: Peppers,
    policy: Policy,
    now: Timestamp,
    /// Only tells which changes of the directory make sense.
    directory: Directory,
    tokens: Vec<Made>,
}

/// A token that was created.
struct Made {
    id: TokenId,
    creator: usize,
    /// Every value that it ever had.
    values: Vec<TokenValue>,
}

impl Player<'_> {
    async fn take(&mut self, step: &Step) -> Answer {
        match step {
            Step::Create { by, primary, companies, group, expires_in, config } => {
                let expires_at = expires_in.map(|seconds| shifted(self.now, seconds));
                let request = self.request(*by, (*primary, companies), *group, expires_at, config);
                self.create(*by, request).await
            }
            Step::Update { token, caller, expected, change } => {
                let (token, caller) = self.token(*token, *caller);
                self.update(token, caller, *expected, change).await
            }
            Step::Move { token, caller, step } => {
                let (token, caller) = self.token(*token, *caller);
                self.step(token, caller, *step).await
            }
            Step::Touch { token, late } => {
                let (token, _) = self.token(*token, Caller::Operator);
                self.touch(token, *late).await;
                Answer::Done
            }
            Step::SetRole { .. }
            | Step::EndMembership { .. }
            | Step::SetApiAccess { .. }
            | Step::Merge { .. }
            | Step::Disable { .. }
            | Step::Found => {
                if self.directory.take(step) {
                    self.change_directory(step).await;
                }
                Answer::Done
            }
        }
    }

    /// The id of a token, and who calls; `None` is the operator.
    fn token(&self, token: Pick, caller: Caller) -> (TokenId, Option<usize>) {
        let made = token.of(self.tokens.len()).and_then(|place| self.tokens.get(place));
        let caller = match caller {
            Caller::Creator => made.map(|made| made.creator),
            Caller::Person(person) => Some(person),
            Caller::Operator => None,
        };
        (made.map_or_else(|| id(404), |made| made.id), caller)
    }

    async fn unit(&self) -> Box<dyn AuthUnit> {
        self.fixture.storage().begin().await.expect("a unit")
    }

    fn call<'a>(&'a self, scope: &'a Scope, actor: &'a Actor) -> CallContext<'a> {
        CallContext { scope, access: PiiAccess::Masked, actor, now: self.now, random: &self.random }
    }

    /// A person acts for the companies that they administer, as the storage knows them.
    async fn caller(&self, caller: Option<usize>) -> (Scope, Actor) {
        match caller {
            Some(person) => {
                let who = Who::Person { user: self.ids.person(person), session: id::<SessionId>(1) };
                (self.administered(person).await, Actor { who, from: None, request: None })
            }
            None => (everything(), Actor::OPERATOR),
        }
    }

    async fn change_directory(&self, step: &Step) {
        let (seed, ids) = (self.fixture, self.ids);
        match *step {
            Step::SetRole { person, company, role } => {
                seed.set_role(ids.person(person), ids.company(company), role).await;
            }
            Step::EndMembership { person, company } => {
                seed.end_membership(ids.person(person), ids.company(company)).await;
            }
            Step::SetApiAccess { company, on } => seed.set_api_access(ids.company(company), on).await,
            Step::Merge { survivor, absorbed } => {
                seed.merge(ids.company(survivor), ids.company(absorbed)).await;
            }
            Step::Disable { person } => seed.disable_user(ids.person(person)).await,
            Step::Found => self.found(LATE).await,
            Step::Create { .. } | Step::Update { .. } | Step::Move { .. } | Step::Touch { .. } => {}
        }
    }
}
