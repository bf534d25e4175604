//! What the calls that fill a company are made with, and what several of them send.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::json;
use svc_core::audit::Actor;
use svc_core::clock::{Clock as _, Timestamp};
use svc_core::money::Amount;
use svc_core::pii::{PiiAccess, Reveal};
use svc_core::system::SystemClock;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_testkit::business::sample::everything;
use svc_testkit::fakes::SeededRandom;
use time::{Date, Month};

/// The caller that fills a company.
pub(super) struct Caller {
    scope: Scope,
    actor: Actor,
    access: PiiAccess,
    random: SeededRandom,
}

impl Caller {
    #[expect(clippy::disallowed_methods, reason = "the benchmark stands in for the authority")]
    pub(super) fn new() -> Self {
        let access = PiiAccess::Full(Reveal::granted());
        Self { scope: everything(), actor: Actor::service("growth"), access, random: SeededRandom::new(1) }
    }

    /// A call of this instant.
    pub(super) fn at(&self, now: Timestamp) -> CallContext<'_> {
        let Self { scope, actor, access, random } = self;
        CallContext { scope, access: *access, actor, now, random }
    }
}

/// The present year up to this day.
pub(super) struct ThisYear {
    first: Timestamp,
    today: Timestamp,
}

impl ThisYear {
    pub(super) fn new() -> Self {
        let today = SystemClock.now();
        let first = Date::from_calendar_date(today.date().year(), Month::January, 1).expect("a day");
        Self { first: Timestamp::start_of(first).plus(Duration::from_hours(12)), today }
    }

    /// When the one with this number comes of so many that come evenly.
    pub(super) fn at(&self, number: u32, of: u32) -> Timestamp {
        self.first.plus(self.today.since(self.first).mul_f64(f64::from(number) / f64::from(of)))
    }
}

/// The request that pays so much by transfer.
pub(super) fn transfer<R: DeserializeOwned>(amount: Amount, on: Date) -> R {
    let payment = json!({"amount": amount.to_string(), "method": "transfer", "date": on.to_string()});
    serde_json::from_value(payment).expect("a payment")
}
