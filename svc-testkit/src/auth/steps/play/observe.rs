//! What can be seen of the tokens of a history.

use std::collections::{BTreeMap, BTreeSet};

use svc_auth::scope;
use svc_auth::scope::Via;
use svc_auth::token::Token;
use svc_core::audit::Filter;
use svc_core::page::{PageRequest, PageRules};
use svc_core::tenant::Scope;

use super::{Made, Player};
use crate::auth::steps::history::{COMPANIES, PEOPLE};
use crate::auth::steps::transcript::{Answer, Moment, Seen};
use crate::business::sample::scope as scope_of;

impl Player<'_> {
    pub(super) async fn moment(&self, answer: Answer) -> Moment {
        let mut tokens = Vec::new();
        for made in &self.tokens {
            tokens.push(self.seen(made).await);
        }
        let mut listed = Vec::new();
        for person in 0..PEOPLE {
            listed.push(self.listed(person).await);
        }
        Moment { answer, tokens, listed }
    }

    async fn seen(&self, made: &Made) -> Seen {
        let storage = self.fixture.storage();
        let token = storage.tokens().find(made.id).await.expect("read").expect("it was created");
        let mut found_by = Vec::new();
        for value in &made.values {
            let candidates = self.peppers.candidates(value);
            let found = storage.tokens().find_by_fingerprint(&candidates).await.expect("read");
            found_by.push(found.is_some_and(|found| found == token));
        }
        Seen {
            status: token.status(self.now).name(),
            version: token.version.as_i64(),
            permissions: token.grants.written().to_vec(),
            allowed_ips: token.allowed_ips.written(),
            personal_data: token.personal_data,
            expires_at: token.expires_at,
            last_used_at: token.last_used_at,
            reaches: self.reaches(&token).await,
            found_by,
            name: token.name,
        }
    }

    async fn reaches(&self, token: &Token) -> Option<Vec<(usize, &'static str)>> {
        let (named, creator) = (token.named().collect(), token.created_by.expect("people create them"));
        let directory = self.fixture.storage().directory();
        let standings = directory.standings(creator, &named, &token.groups).await.expect("read");
        let reach = scope::resolve(token, &standings)?;
        let companies = reach.companies().iter().map(|company| {
            let via = match company.via {
                Via::Primary => "primary",
                Via::Direct => "direct",
                Via::Group => "group",
            };
            (self.ids.number(company.id), via)
        });
        Some(companies.collect())
    }

    /// The numbers of the tokens on a person's list.
    async fn listed(&self, person: usize) -> Vec<usize> {
        let scope = self.administered(person).await;
        let page = self.fixture.storage().tokens().page(&scope, whole()).await.expect("read");
        assert_eq!(page.total, page.items.len() as u64);
        let number = |token: &Token| self.tokens.iter().position(|made| made.id == token.id);
        page.items.iter().map(|token| number(token).expect("it was created here")).collect()
    }

    /// The companies that a person holds or administers at present.
    pub(super) async fn administered(&self, person: usize) -> Scope {
        let companies = (0..COMPANIES.len()).map(|company| self.ids.company(company)).collect();
        let directory = self.fixture.storage().directory();
        let standings = directory.standings(self.ids.person(person), &companies, &BTreeSet::new()).await;
        let standings = standings.expect("read");
        let administered: Vec<_> =
            standings.iter().filter(|company| company.is_administered()).map(|company| company.id).collect();
        scope_of(&administered)
    }

    /// What the log of each company says of each token that names it, oldest first, if it can be read.
    pub(super) async fn logs(&self) -> Option<Vec<BTreeMap<usize, Vec<&'static str>>>> {
        let reader = self.fixture.log()?;
        let mut logs = Vec::new();
        for made in &self.tokens {
            let filter = Filter { subject: Some(made.id.to_string()), ..Filter::default() };
            let mut log = BTreeMap::new();
            for company in 0..COMPANIES.len() {
                let scope = scope_of(&[self.ids.company(company)]);
                let page = reader.page(&scope, &filter, whole()).await.expect("read");
                let actions: Vec<_> =
                    page.items.iter().rev().map(|record| record.entry.action.name()).collect();
                if !actions.is_empty() {
                    log.insert(company, actions);
                }
            }
            logs.push(log);
        }
        Some(logs)
    }
}

/// More than any history makes.
fn whole() -> PageRequest {
    PageRules::USUAL.page(None, Some(PageRules::USUAL.max)).expect("the first page")
}
