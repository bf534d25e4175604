//! The life of a token against its reference model.

use std::time::Duration;

use proptest::prelude::*;
use svc_auth::token::{IllegalStep, Pepper, Peppers, Status, Token, TokenValue};
use svc_core::clock::Timestamp;
use svc_core::random::RandomSource;
use svc_testkit::auth::{TokenModel, TokenStep, token, token_life};

use crate::test_app::{account, user};

struct Seeded(u8);

impl RandomSource for Seeded {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(self.0);
    }
}

fn make(real: Token, step: TokenStep, now: Timestamp, seed: u8) -> Result<Token, IllegalStep> {
    match step {
        TokenStep::Disable => real.disable(now),
        TokenStep::Enable => real.enable(now),
        TokenStep::Revoke => real.revoke(now),
        TokenStep::Rotate => {
            let value = TokenValue::generate(&Seeded(seed));
            let peppers = Peppers::new(Pepper::new(1, [1; 32]), Vec::new());
            real.rotate(&value, peppers.fingerprint(&value), now)
        }
    }
}

fn name(step: TokenStep) -> &'static str {
    match step {
        TokenStep::Disable => "disable",
        TokenStep::Enable => "enable",
        TokenStep::Revoke => "revoke",
        TokenStep::Rotate => "rotate",
    }
}

proptest! {
    #[test]
    fn a_token_lives_as_the_model_says((expiry, moves) in token_life(0..40)) {
        let mut now = Timestamp::from_unix_seconds(1_000);
        let expires_at = expiry.map(|seconds| now.plus(Duration::from_secs(seconds)));
        let mut model = TokenModel::new(expires_at);
        let mut real = Token { expires_at, created_at: now, ..token(1, user(1), account(1)) };
        for (seed, (wait, step)) in moves.into_iter().enumerate() {
            now = now.plus(wait);
            let before = real.clone();
            let revoked = real.status(now) == Status::Revoked;
            let outcome = make(real, step, now, u8::try_from(seed + 1).unwrap());
            prop_assert_eq!(outcome.is_ok(), model.step(step, now));
            real = match outcome {
                Ok(after) => {
                    let rotated = after.fingerprint != before.fingerprint;
                    prop_assert_eq!(rotated, step == TokenStep::Rotate);
                    prop_assert_eq!(after.version, before.version.next());
                    prop_assert!(!revoked, "revoked is for ever");
                    after
                }
                Err(illegal) => {
                    prop_assert_eq!(illegal.step, name(step));
                    let past = before.expires_at.is_some_and(|expiry| expiry <= now);
                    prop_assert!(illegal.status == before.status(now) || (past && illegal.status == Status::Expired));
                    before
                }
            };
            prop_assert_eq!(real.status(now), model.status(now));
            prop_assert_eq!(real.version.as_i64(), 1 + model.moves);
        }
    }
}
