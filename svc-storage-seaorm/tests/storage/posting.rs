//! Entries that are posted at the same time: each year counts them without a gap, and what reports add up to is what
//! they moved.

use std::sync::Arc;

use svc_business::books::book::{Book, BookInput, begin, update};
use svc_business::books::entry::{Entry, PostRefused};
use svc_business::books::journal::{EntryInput, EntryRefused, LineInput, Verification, create, verify};
use svc_business::books::ledger::Sums;
use svc_business::ports::BusinessStorage;
use svc_business::record;
use svc_core::audit::Actor;
use svc_core::id::AccountId;
use svc_core::patch::Patch;
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_testkit::business::sample::bare_account;
use svc_testkit::fakes::SeededRandom;
use time::macros::date;

use crate::both::on_both;
use crate::fresh::{Fresh, NOW, everything};

on_both! {
    numbers_have_no_gap_however_many_post_at_once
    a_lock_waits_for_postings_and_later_ones_for_the_lock
}

/// Tasks that post at the same time.
const WRITERS: u64 = 8;
/// Entries of each.
const EACH: u64 = 12;

struct Caller {
    scope: Scope,
    random: SeededRandom,
}

impl Caller {
    fn new(seed: u64) -> Self {
        Self { scope: everything(), random: SeededRandom::new(seed) }
    }

    fn call(&self) -> CallContext<'_> {
        let Self { scope, random } = self;
        CallContext { scope, access: PiiAccess::Masked, actor: &Actor::OPERATOR, now: NOW, random }
    }
}

async fn with_books(fresh: &Fresh) -> (Arc<dyn BusinessStorage>, AccountId) {
    let business = fresh.database.business();
    let (caller, company) = (Caller::new(1), bare_account(1));
    let unit = business.begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &company).await.expect("inserted");
    unit.commit().await.expect("committed");
    let unit = business.begin().await.expect("a unit");
    begin(unit.as_ref(), caller.call(), &company).await.expect("books");
    unit.commit().await.expect("committed");
    (business, company.id)
}

fn input(day: &str, amount: &str) -> EntryInput {
    let line = |code: &str, debit: Option<&str>, credit: Option<&str>| LineInput {
        id: None,
        account_code: code.parse().expect("a code"),
        debit: debit.map(str::to_owned),
        credit: credit.map(str::to_owned),
        amount_currency: None,
        contact_id: None,
        description: None,
        due_date: None,
        dimensions: None,
    };
    EntryInput {
        date: Patch::Value(day.to_owned()),
        description: Patch::Value("Alquiler".to_owned()),
        lines: Patch::Value(vec![line("6210000", Some(amount), None), line("5720000", None, Some(amount))]),
        post: true,
        ..EntryInput::default()
    }
}

async fn post(
    business: &dyn BusinessStorage,
    caller: &Caller,
    company: AccountId,
    input: EntryInput,
) -> Result<Entry, Refused<EntryRefused>> {
    let unit = business.begin().await.expect("a unit");
    let posted = {
        let home =
            record::home::<Entry>(unit.as_ref(), caller.call(), company).await.map_err(Refused::widen)?;
        create(&home, input).await?
    };
    unit.commit().await?;
    Ok(posted)
}

async fn verified(business: &dyn BusinessStorage, company: AccountId) -> Verification {
    let account = business.accounts().find(&everything(), company).await.expect("read").expect("there");
    verify(business, &account).await.expect("verified")
}

async fn numbers_have_no_gap_however_many_post_at_once(fresh: &Fresh) {
    let (business, company) = with_books(fresh).await;
    let year = NOW.date().year();
    let writers = (0..WRITERS).map(|writer| {
        let business = Arc::clone(&business);
        tokio::spawn(async move {
            let caller = Caller::new(100 + writer);
            let mut numbers = Vec::new();
            for entry in 0..EACH {
                let day = format!("{year}-{:02}-15", 1 + entry % 12);
                let posted = post(business.as_ref(), &caller, company, input(&day, "1.00")).await;
                numbers.push(posted.expect("posted").status.posting().expect("it is posted").number);
            }
            numbers
        })
    });
    let mut numbers = Vec::new();
    for writer in writers.collect::<Vec<_>>() {
        numbers.extend(writer.await.expect("it ends"));
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=WRITERS * EACH).collect::<Vec<_>>());
    let verification = verified(business.as_ref(), company).await;
    assert!(verification.years.iter().all(|year| year.holds() && year.entries == WRITERS * EACH));
    let (through, before) = (date!(9000 - 12 - 31), date!(9000 - 12 - 31));
    let asked = Sums { through, closings_before: before, prefix: None };
    let currency = "EUR".parse().expect("a currency");
    let sums = business.ledger().sums(company, currency, &asked).await.expect("sums");
    let held: Vec<_> = sums.iter().map(|sum| (sum.debit.minor(), sum.credit.minor())).collect();
    let all = i64::try_from(WRITERS * EACH * 100).expect("small");
    assert_eq!(held, [(0, all), (all, 0)]);
}

async fn a_lock_waits_for_postings_and_later_ones_for_the_lock(fresh: &Fresh) {
    let (business, company) = with_books(fresh).await;
    let year = NOW.date().year();
    let day = format!("{year}-01-31");
    let (writer, keeper) = (Caller::new(7), Caller::new(8));
    let unit = business.begin().await.expect("a unit");
    let home = record::home::<Entry>(unit.as_ref(), writer.call(), company).await.expect("a home");
    let early = create(&home, input(&day, "5.00")).await.expect("posted");
    drop(home);
    let lock = {
        let (business, day) = (Arc::clone(&business), day.clone());
        tokio::spawn(async move {
            let unit = business.begin().await.expect("a unit");
            let opened =
                record::alone::<Book>(unit.as_ref(), keeper.call(), company, &[], &Expected::Any).await;
            let input = BookInput { lock_date: Patch::Value(day), ..BookInput::default() };
            update(opened.expect("opened"), input).await.expect("locked");
            unit.commit().await.expect("committed");
        })
    };
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert!(!lock.is_finished(), "the lock waits for what is being posted");
    unit.commit().await.expect("committed");
    lock.await.expect("it ends");
    assert!(early.status.posting().is_some());
    let refused = post(business.as_ref(), &writer, company, input(&day, "1.00")).await;
    let is_locked = matches!(refused, Err(Refused::Own(EntryRefused::Post(PostRefused::Locked(_)))));
    assert!(is_locked, "{refused:?}");
    assert!(verified(business.as_ref(), company).await.years.iter().all(|year| year.entries == 1));
}
