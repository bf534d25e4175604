//! The people and companies of a history.

use svc_auth::token::{Pepper, Peppers};
use svc_core::id::{AccountId, GroupId, TypedId, UserId};

use super::Player;
use crate::auth::steps::directory::Directory;
use crate::auth::steps::history::{COMPANIES, LATE, PEOPLE, ROLES, TOP};
use crate::business::sample::id;

/// The ids of one history: no two histories share one.
#[derive(Clone, Copy)]
pub(super) struct Ids(u128);

const COMPANY: u128 = 0x100;
const PERSON: u128 = 0x200;
const GROUP: u128 = 0x300;

impl Ids {
    pub(super) fn of(number: u32) -> Self {
        Self(u128::from(number) << 16)
    }

    pub(super) fn company(self, company: usize) -> AccountId {
        id(self.0 + COMPANY + company as u128)
    }

    pub(super) fn person(self, person: usize) -> UserId {
        id(self.0 + PERSON + person as u128)
    }

    pub(super) fn group(self) -> GroupId {
        id(self.0 + GROUP)
    }

    /// The number of a company.
    pub(super) fn number(self, company: AccountId) -> usize {
        usize::try_from(company.uuid().as_u128() - self.0 - COMPANY).expect("a company of this history")
    }
}

pub(super) fn peppers() -> Peppers {
    Peppers::new(Pepper::new(1, [0x70; 32]), Vec::new())
}

impl Player<'_> {
    /// All that is there before the first step.
    pub(super) async fn settle(&self) {
        for person in 0..PEOPLE {
            self.fixture.add_user(self.ids.person(person)).await;
        }
        self.fixture.add_group(self.ids.group()).await;
        for company in 0..LATE {
            self.found(company).await;
        }
        self.fixture.set_parent(self.ids.group(), self.ids.company(TOP)).await;
        for (person, company, role) in ROLES {
            self.fixture.set_role(self.ids.person(person), self.ids.company(company), role).await;
        }
    }

    pub(super) async fn found(&self, company: usize) {
        let name = COMPANIES.get(company).expect("a company");
        let group = Directory::is_grouped(company).then(|| self.ids.group());
        self.fixture.add_company(self.ids.company(company), name, group).await;
    }
}
