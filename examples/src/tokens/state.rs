//! What the service keeps for svc-auth.

use std::collections::{BTreeMap, BTreeSet};

use svc_auth::ports::{CompanyStanding, GroupPlace, Standing, Use};
use svc_auth::token::{Fingerprint, Token};
use svc_core::audit::{ChainKeys, Entry, Head, Record};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;

/// A company as this service knows it.
#[derive(Clone, Debug)]
pub struct Company {
    /// Its legal name.
    pub legal_name: String,
    /// Its place in its group, if it is in one.
    pub group: Option<GroupPlace>,
    /// Whether it was merged into another one.
    pub merged: bool,
    /// Whether tokens may be created for it.
    pub api_access: bool,
}

/// Everything that is kept.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Tokens by id.
    pub tokens: BTreeMap<TokenId, Token>,
    /// Companies by id.
    pub companies: BTreeMap<AccountId, Company>,
    /// What people are or were in companies.
    pub standings: BTreeMap<(AccountId, UserId), Standing>,
    /// People who may do nothing any more.
    pub disabled: BTreeSet<UserId>,
    /// The audit log of each company, oldest record first.
    pub audit: BTreeMap<AccountId, Vec<Record>>,
    /// Moves with every change of who may do what.
    pub authority: i64,
}

impl State {
    /// The token with one of these fingerprints.
    #[must_use]
    pub fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Option<Token> {
        self.tokens.values().find(|token| candidates.contains(&token.fingerprint)).cloned()
    }

    /// One page of the tokens whose primary account is within the scope, oldest first.
    #[must_use]
    pub fn page(&self, scope: &Scope, request: PageRequest) -> Page<Token> {
        let mut tokens: Vec<_> = self.tokens.values().filter(|token| scope.contains(token.primary)).collect();
        tokens.sort_by_key(|token| (token.created_at, token.id));
        let total = tokens.len() as u64;
        let skipped = usize::try_from(request.offset()).unwrap_or(usize::MAX);
        let items = tokens.into_iter().skip(skipped).take(request.limit() as usize).cloned().collect();
        Page { items, total, request }
    }

    /// The named companies and those of the named groups, with what `person` is there.
    #[must_use]
    pub fn standings(
        &self,
        person: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Vec<CompanyStanding> {
        let named = self.companies.iter().filter(|(id, company)| {
            companies.contains(id) || company.group.is_some_and(|place| groups.contains(&place.id))
        });
        let standing = named.map(|(id, company)| CompanyStanding {
            id: *id,
            legal_name: company.legal_name.clone(),
            group: company.group,
            merged: company.merged,
            api_access: company.api_access,
            membership: self.standing(person, *id),
        });
        standing.collect()
    }

    fn standing(&self, person: UserId, company: AccountId) -> Standing {
        if self.disabled.contains(&person) {
            return Standing::Former;
        }
        self.standings.get(&(company, person)).copied().unwrap_or(Standing::Stranger)
    }

    pub(super) fn insert(&mut self, token: &Token) -> Result<(), StoreError> {
        self.refuse_taken(token)?;
        self.tokens.insert(token.id, token.clone());
        self.authority += 1;
        Ok(())
    }

    /// Puts `after` in the place of the token at the version `before`; its last use stays.
    pub(super) fn replace(&mut self, before: Version, after: &Token) -> Result<(), StoreError> {
        self.refuse_taken(after)?;
        let stored = self.tokens.get_mut(&after.id).filter(|stored| stored.version == before);
        let stored = stored.ok_or(StoreError::Conflict)?;
        let (last_used_at, last_used_from) = (stored.last_used_at, stored.last_used_from);
        *stored = Token { last_used_at, last_used_from, ..after.clone() };
        self.authority += 1;
        Ok(())
    }

    fn refuse_taken(&self, token: &Token) -> Result<(), StoreError> {
        match self.find_by_fingerprint(&[token.fingerprint]) {
            Some(other) if other.id != token.id => Err(StoreError::Taken { field: "fingerprint" }),
            Some(_) | None => Ok(()),
        }
    }

    /// Writes a last use, unless a later one is known.
    pub(super) fn touch(&mut self, latest: &Use) {
        let token = self.tokens.get_mut(&latest.token);
        if let Some(token) = token.filter(|token| token.last_used_at.is_none_or(|known| known < latest.at)) {
            token.last_used_at = Some(latest.at);
            token.last_used_from = latest.from;
        }
    }

    /// Seals an entry onto the newest record of its company.
    pub(super) fn append(&mut self, keys: &ChainKeys, entry: Entry) {
        let chain = self.audit.entry(entry.account).or_default();
        let head = chain.last().map(|record| Head { number: record.number, seal: record.seal });
        chain.push(keys.seal(head, entry));
    }
}
