//! Pages of the log, for people.

use svc_core::audit::{Action, Entry, Filter};
use svc_core::id::{AccountId, UserId};
use svc_core::page::PageRules;
use svc_core::tenant::Scope;

use super::{Fixture, append, entries};
use crate::audit::entry;
use crate::business::sample::{at, everything, id, scope};

/// The entries on a page, and how many there are on all pages.
async fn page(
    fixture: Fixture<'_>,
    scope: &Scope,
    filter: &Filter,
    (number, limit): (u32, u32),
) -> (Vec<Entry>, u64) {
    let request = PageRules::USUAL.page(Some(number), Some(limit)).expect("valid");
    let page = fixture.reader().page(scope, filter, request).await.expect("read");
    assert_eq!(page.request, request);
    (page.items.into_iter().map(|record| record.entry).collect(), page.total)
}

async fn whole(fixture: Fixture<'_>, scope: &Scope, filter: &Filter) -> Vec<Entry> {
    let (entries, total) = page(fixture, scope, filter, (1, 200)).await;
    assert_eq!(entries.len() as u64, total);
    entries
}

fn newest_first(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.reverse();
    entries
}

/// Of one instant, the later number first.
pub async fn a_page_shows_the_newest_first(fixture: Fixture<'_>) {
    let account: AccountId = id(1);
    let mut all = entries(account, 0..6);
    for entry in all.iter_mut().skip(2).take(3) {
        entry.at = at(3);
    }
    append(fixture, &all).await;
    assert_eq!(whole(fixture, &scope(&[account]), &Filter::default()).await, newest_first(all));
}

/// Joined, the pages are the whole list.
pub async fn a_page_is_one_of_many(fixture: Fixture<'_>) {
    let account: AccountId = id(1);
    append(fixture, &entries(account, 0..5)).await;
    let mut joined = Vec::new();
    for number in 1..=4 {
        let (entries, total) = page(fixture, &scope(&[account]), &Filter::default(), (number, 2)).await;
        assert_eq!(total, 5);
        joined.extend(entries);
    }
    assert_eq!(joined, newest_first(entries(account, 0..5)));
}

/// Joined, the pages of several companies are the whole list, those behind the middle too.
pub async fn pages_of_several_companies_join(fixture: Fixture<'_>) {
    let companies: [AccountId; 3] = [id(1), id(2), id(3)];
    let all: Vec<Entry> =
        (0..9).zip(companies.into_iter().cycle()).map(|(number, company)| entry(company, number)).collect();
    append(fixture, &all).await;
    let reached = scope(&companies[..2]);
    let expected: Vec<Entry> =
        newest_first(all).into_iter().filter(|one| one.account != companies[2]).collect();
    for limit in [1, 2, 4, 6] {
        let mut joined = Vec::new();
        for number in 1..=6 {
            let (entries, total) = page(fixture, &reached, &Filter::default(), (number, limit)).await;
            assert_eq!(total, 6);
            joined.extend(entries);
        }
        assert_eq!(joined, expected, "limit {limit}");
    }
}

/// With every filter.
pub async fn a_page_holds_the_companies_of_its_scope_alone(fixture: Fixture<'_>) {
    let [acme, beta, gamma]: [AccountId; 3] = [id(1), id(2), id(3)];
    append(fixture, &[entry(acme, 0), entry(beta, 1), entry(gamma, 2), entry(acme, 3)]).await;
    let all = Filter::default();
    assert_eq!(whole(fixture, &scope(&[acme]), &all).await, [entry(acme, 3), entry(acme, 0)]);
    let two = [entry(gamma, 2), entry(beta, 1)];
    assert_eq!(whole(fixture, &scope(&[beta, gamma]), &all).await, two);
    assert_eq!(whole(fixture, &scope(&[id(404)]), &all).await, []);
    assert_eq!(whole(fixture, &scope(&[]), &all).await, []);
    assert_eq!(whole(fixture, &everything(), &all).await.len(), 4);
    let theirs = Filter { subject: Some(entry(beta, 1).subject), ..Filter::default() };
    assert_eq!(whole(fixture, &scope(&[acme]), &theirs).await, []);
}

/// `from` takes its instant in, `until` leaves it out.
pub async fn every_filter_narrows_a_page(fixture: Fixture<'_>) {
    let account: AccountId = id(1);
    let mut all = entries(account, 0..5);
    for entry in all.iter_mut().skip(3) {
        entry.action = Action::TokenRevoke;
    }
    append(fixture, &all).await;
    let second = all.get(1).map(|entry| entry.subject.clone());
    let cases = [
        (Filter { action: Some(Action::TokenRevoke), ..Filter::default() }, 3..5),
        (Filter { action: Some(Action::TokenUpdate), ..Filter::default() }, 0..3),
        (Filter { action: Some(Action::GroupLeave), ..Filter::default() }, 0..0),
        (Filter { subject: second, ..Filter::default() }, 1..2),
        (Filter { subject: Some("tok_%".to_owned()), ..Filter::default() }, 0..0),
        (Filter { from: Some(at(2)), ..Filter::default() }, 2..5),
        (Filter { until: Some(at(2)), ..Filter::default() }, 0..2),
        (Filter { from: Some(at(2)), until: Some(at(2)), ..Filter::default() }, 0..0),
    ];
    for (filter, expected) in cases {
        let expected = all.get(expected).expect("within the entries").to_vec();
        let found = whole(fixture, &scope(&[account]), &filter).await;
        assert_eq!(found, newest_first(expected), "{filter:?}");
    }
}

/// Page and total follow them.
pub async fn filters_narrow_together(fixture: Fixture<'_>) {
    let account: AccountId = id(1);
    let subject = id::<UserId>(7);
    let mut all = entries(account, 0..12);
    for (place, entry) in all.iter_mut().enumerate() {
        if place % 2 == 0 {
            entry.action = Action::PasswordSet;
        }
        if place % 3 == 0 {
            entry.subject = subject.to_string();
        }
    }
    append(fixture, &all).await;
    let filter = Filter {
        action: Some(Action::PasswordSet),
        subject: Some(subject.to_string()),
        from: Some(at(0)),
        until: Some(at(12)),
    };
    // Both at 0 and 6: every sixth entry.
    let expected: Vec<_> = newest_first(all.into_iter().step_by(6).collect());
    for (number, one) in (1..).zip(expected) {
        assert_eq!(page(fixture, &scope(&[account]), &filter, (number, 1)).await, (vec![one], 2));
    }
}
