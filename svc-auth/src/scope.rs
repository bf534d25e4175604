//! Which companies a token reaches at present (specification, parts 2.1, 3.1 and 5.3).
//!
//! A token names companies and groups once, at creation; what it reaches is
//! worked out anew from what its creator is in each of them today:
//!
//! | named as | reached while the creator |
//! |---|---|
//! | primary account | holds or administers it; otherwise the token is unusable |
//! | company | holds or administers it |
//! | group | of each company of it: holds or administers that company; and of those where the creator never was a member, companies that joined later included: holds or administers the group's parent company |
//!
//! A connection names one company, and reaches it while the person is a member of it in any role.
//!
//! So the loss of a role hides the company where it was lost, and with the role in a parent company go those of
//! its group that the creator saw by that role alone.
//!
//! A company that was merged into another one is out of reach.

use std::collections::BTreeSet;

use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, UserId};
use svc_core::role::Role;

use crate::ports::{AccountDirectory, CompanyStanding, Standing};
use crate::token::Token;

/// A company within a token's reach.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReachedCompany {
    /// The company.
    pub id: AccountId,
    /// Its legal name.
    pub legal_name: String,
    /// The creator's role there, when there is one.
    pub role: Option<Role>,
    /// Why it is within reach.
    pub via: Via,
    /// Its group.
    pub group: Option<GroupId>,
}

/// Why a company is within a token's reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Via {
    /// It is the primary account.
    Primary,
    /// It was named.
    Direct,
    /// Its group was named.
    Group,
}

/// The companies within a token's reach: primary first, then by legal name, then by id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    pub(crate) companies: Vec<ReachedCompany>,
}

impl Reach {
    /// The companies.
    #[must_use]
    pub fn companies(&self) -> &[ReachedCompany] {
        &self.companies
    }
}

/// What `token` reaches, from what its creator is in the companies and groups
/// that it names; `None` when the creator lost the primary account.
#[must_use]
pub fn resolve(token: &Token, standings: &[CompanyStanding]) -> Option<Reach> {
    let groups: BTreeSet<_> =
        token.groups.iter().copied().filter(|group| hands_out(*group, standings)).collect();
    let reached = |company| reached(token, &groups, company);
    let mut companies: Vec<_> = standings.iter().filter_map(reached).collect();
    companies.sort_by(|left, right| {
        // `false` sorts first.
        let follows = |company: &ReachedCompany| company.via != Via::Primary;
        (follows(left), &left.legal_name, left.id).cmp(&(follows(right), &right.legal_name, right.id))
    });
    let primary = companies.first().is_some_and(|first| first.via == Via::Primary);
    primary.then_some(Reach { companies })
}

/// What a person, or a token without one, is in the companies and groups that the token names.
pub(crate) async fn standings_of(
    directory: &dyn AccountDirectory,
    token: &Token,
    person: Option<UserId>,
) -> Result<Vec<CompanyStanding>, StoreError> {
    let companies = token.named().collect();
    match person {
        Some(person) => directory.standings(person, &companies, &token.groups).await,
        None => directory.standings_without_person(&companies, &token.groups).await,
    }
}

/// Whether a person with these standings decides about the whole group: they hold or administer its parent
/// company. A subsidiary gives no right to its sisters, and no person decides about a group without a parent company.
pub(crate) fn hands_out(group: GroupId, standings: &[CompanyStanding]) -> bool {
    standings.iter().any(|company| company.is_parent_of(group) && company.is_administered())
}

/// `groups` are those that the creator decides about.
fn reached(token: &Token, groups: &BTreeSet<GroupId>, company: &CompanyStanding) -> Option<ReachedCompany> {
    let via = if company.merged {
        None
    } else if company.id == token.primary {
        let counts = match token.connection {
            None => company.is_administered(),
            Some(_) => matches!(company.membership, Standing::Member(_)),
        };
        counts.then_some(Via::Primary)
    } else if token.companies.contains(&company.id) && company.is_administered() {
        Some(Via::Direct)
    } else {
        by_group(token, groups, company).then_some(Via::Group)
    };
    Some(ReachedCompany {
        id: company.id,
        legal_name: company.legal_name.clone(),
        role: match company.membership {
            Standing::Member(role) => Some(role),
            Standing::Stranger | Standing::Former => None,
        },
        via: via?,
        group: company.group.map(|place| place.id),
    })
}

/// Whether the company is reached as one of a group that the token names. In what the creator holds or
/// administers they need no other role; a person who left a company, or was given a lesser role there, lost
/// it; a person who never was a member has nothing to lose, and sees it as the one who decides about the group.
fn by_group(token: &Token, groups: &BTreeSet<GroupId>, company: &CompanyStanding) -> bool {
    let Some(group) = company.group.map(|place| place.id) else { return false };
    match company.membership {
        Standing::Member(role) => token.groups.contains(&group) && role.administers(),
        Standing::Stranger => groups.contains(&group),
        Standing::Former => false,
    }
}
