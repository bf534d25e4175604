//! Steps as calls of the use cases, each in a unit of its own.

use std::time::Duration;

use svc_auth::ports::{AuthUnit, Use};
use svc_auth::token::{self, CreateRequest, EditError, IllegalStep, Token, UpdateRequest};
use svc_core::clock::Timestamp;
use svc_core::id::TokenId;
use svc_core::refused::Refused;
use svc_core::resource::Version;

use super::world::Ids;
use super::{Made, Player};
use crate::auth::TokenStep;
use crate::auth::steps::history::{Change, Config, Expected, List};
use crate::auth::steps::transcript::Answer;
use crate::auth::verbs;

impl Player<'_> {
    pub(super) fn request(
        &self,
        by: usize,
        (primary, companies): (usize, &[usize]),
        group: bool,
        expires_at: Option<Timestamp>,
        config: &Config,
    ) -> CreateRequest {
        CreateRequest {
            name: config.name.written.to_owned(),
            permissions: config.permissions.written(),
            personal_data: config.personal_data,
            allowed_ips: config.allowed_ips.written(),
            expires_at,
            primary: self.ids.company(primary),
            companies: companies.iter().map(|company| self.ids.company(*company)).collect(),
            groups: if group { vec![self.ids.group()] } else { Vec::new() },
            creator: Some(self.ids.person(by)),
        }
    }

    pub(super) async fn create(&mut self, by: usize, request: CreateRequest) -> Answer {
        let (scope, actor) = self.caller(Some(by)).await;
        let unit = self.unit().await;
        let made =
            token::create(&*unit, self.call(&scope, &actor), request, &self.peppers, &self.policy).await;
        match made {
            Ok((token, value)) => {
                unit.commit().await.expect("committed");
                self.tokens.push(Made { id: token.id, creator: by, values: vec![value] });
                Answer::Created(self.tokens.len() - 1)
            }
            Err(refused) => self.ids.refusal(refused, Ids::authority),
        }
    }

    pub(super) async fn update(
        &self,
        token: TokenId,
        caller: Option<usize>,
        expected: Expected,
        change: &Change,
    ) -> Answer {
        let (scope, actor) = self.caller(caller).await;
        let unit = self.unit().await;
        let stored = unit.tokens().find(token).await.expect("read");
        let known = stored.map_or(Version::FIRST, |token| token.version);
        let expected = match expected {
            Expected::Any => None,
            Expected::Current => Some(known),
            Expected::Stale => Some(known.next()),
        };
        let request = UpdateRequest {
            name: change.name.map(|text| text.written.to_owned()),
            permissions: change.permissions.map(List::written),
            personal_data: change.personal_data,
            allowed_ips: change.allowed_ips.map(List::written),
        };
        match verbs::update(&*unit, self.call(&scope, &actor), token, expected, request).await {
            Ok(token) => changed(unit, &token).await,
            Err(refused) => self.ids.refusal(refused, Ids::edit),
        }
    }

    pub(super) async fn step(&mut self, token: TokenId, caller: Option<usize>, step: TokenStep) -> Answer {
        let (scope, actor) = self.caller(caller).await;
        let unit = self.unit().await;
        let call = self.call(&scope, &actor);
        let mut value = None;
        let edit = |refused: Refused<IllegalStep>| refused.map(EditError::from);
        let outcome = match step {
            TokenStep::Disable => verbs::disable(&*unit, call, token).await.map_err(edit),
            TokenStep::Enable => verbs::enable(&*unit, call, token).await.map_err(edit),
            TokenStep::Revoke => verbs::revoke(&*unit, call, token).await.map_err(edit),
            TokenStep::Rotate => {
                let rotated = verbs::rotate(&*unit, call, token, &self.peppers).await;
                rotated.map(|(token, new)| {
                    value = Some(new);
                    token
                })
            }
        };
        match outcome {
            Ok(after) => {
                let answer = changed(unit, &after).await;
                let made = self.tokens.iter_mut().find(|made| made.id == token);
                made.expect("it was created here").values.extend(value);
                answer
            }
            Err(refused) => self.ids.refusal(refused, Ids::edit),
        }
    }

    pub(super) async fn touch(&self, token: TokenId, late: Duration) {
        let unit = self.unit().await;
        let at = self.now.minus(late);
        unit.tokens().touch(&[Use { token, at, from: None }]).await.expect("touched");
        unit.commit().await.expect("committed");
    }
}

async fn changed(unit: Box<dyn AuthUnit>, token: &Token) -> Answer {
    unit.commit().await.expect("committed");
    Answer::Changed(token.version.as_i64())
}
