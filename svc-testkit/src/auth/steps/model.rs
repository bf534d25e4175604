//! The reference: the specification read as plainly as it is written.

mod token;
mod use_cases;

use std::collections::BTreeMap;
use std::time::Duration;

use svc_core::clock::Timestamp;

use self::token::ModelToken;
use super::directory::Directory;
use super::history::{Caller, History, PEOPLE, Pick, START, Step, shifted};
use super::transcript::{Answer, Moment, Transcript};

/// What must be seen of a history.
#[must_use]
pub fn model(history: &History) -> Transcript {
    let mut world = World {
        now: START,
        longest_life: history.longest_life,
        directory: Directory::new(),
        tokens: Vec::new(),
    };
    let moments = history.steps.iter().map(|(wait, step)| {
        world.now = world.now.plus(*wait);
        let answer = world.take(step).unwrap_or_else(|refusal| refusal);
        world.moment(answer)
    });
    let moments = moments.collect();
    Transcript { moments, logs: Some(world.tokens.iter().map(ModelToken::log).collect()) }
}

struct World {
    now: Timestamp,
    longest_life: Option<Duration>,
    directory: Directory,
    tokens: Vec<ModelToken>,
}

/// `Err` is a refusal: nothing has changed.
type Outcome = Result<Answer, Answer>;

impl World {
    fn take(&mut self, step: &Step) -> Outcome {
        match step {
            Step::Create { by, primary, companies, group, expires_in, config } => {
                let expires_at = expires_in.map(|seconds| shifted(self.now, seconds));
                self.create(*by, *primary, companies, *group, expires_at, config)
            }
            Step::Update { token, caller, expected, change } => {
                let (token, caller) = self.visible(*token, *caller)?;
                self.update(token, caller, *expected, change)
            }
            Step::Move { token, caller, step } => {
                let (token, caller) = self.visible(*token, *caller)?;
                self.step(token, caller, *step)
            }
            Step::Touch { token, late } => {
                let at = self.now.minus(*late);
                let place = token.of(self.tokens.len());
                if let Some(token) = place.and_then(|place| self.tokens.get_mut(place)) {
                    token.last_used_at = token.last_used_at.max(Some(at));
                }
                Ok(Answer::Done)
            }
            Step::SetRole { .. }
            | Step::EndMembership { .. }
            | Step::SetApiAccess { .. }
            | Step::Merge { .. }
            | Step::Disable { .. }
            | Step::Found => {
                self.directory.take(step);
                Ok(Answer::Done)
            }
        }
    }

    fn reaches(&self, caller: Option<usize>, company: usize) -> bool {
        caller.is_none_or(|person| self.directory.administers(person, company))
    }

    /// The place of a token whose primary account the caller reaches, and who that is; `None` is the operator.
    fn visible(&self, token: Pick, caller: Caller) -> Result<(usize, Option<usize>), Answer> {
        let place = token.of(self.tokens.len()).ok_or(Answer::NotFound)?;
        let token = self.token(place);
        let caller = match caller {
            Caller::Creator => Some(token.creator),
            Caller::Person(person) => Some(person),
            Caller::Operator => None,
        };
        if self.reaches(caller, token.primary) { Ok((place, caller)) } else { Err(Answer::NotFound) }
    }

    fn token(&self, place: usize) -> &ModelToken {
        self.tokens.get(place).expect("a visible token")
    }

    fn moment(&self, answer: Answer) -> Moment {
        let listed = |person| {
            let tokens = self.tokens.iter().enumerate();
            tokens
                .filter(|(_, token)| self.directory.administers(person, token.primary))
                .map(|(place, _)| place)
                .collect()
        };
        Moment {
            answer,
            tokens: self.tokens.iter().map(|token| token.seen(&self.directory, self.now)).collect(),
            listed: (0..PEOPLE).map(listed).collect(),
        }
    }
}

/// What the log of each company that a token names says of it.
type Log = BTreeMap<usize, Vec<&'static str>>;
