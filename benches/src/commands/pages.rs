//! What each page of a long list costs, in first pages.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use svc_benches::{median, sqlite};
use svc_business::contact::ContactFilter;
use svc_business::ports::{AccountUnit as _, ContactUnit as _};
use svc_core::page::{PageRules, Sort};
use svc_core::unit::UnitOfWork as _;
use svc_testkit::business::sample::{bare_account, everything, organization};

const CONTACTS: u128 = 20_000;
const LIMIT: u32 = 200;
const ROUNDS: usize = 9;

#[tokio::main]
#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
pub(crate) async fn start() -> ExitCode {
    let folder = tempfile::tempdir().expect("a folder");
    let database = sqlite(folder.path()).await;
    let account = bare_account(1);
    let unit = database.begin().await.expect("a unit");
    unit.accounts().insert(&everything(), &account).await.expect("inserted");
    for number in 0..CONTACTS {
        let contact = organization(account.id, number, &format!("Empresa {number}"));
        unit.contacts().insert(&everything(), &contact).await.expect("inserted");
    }
    unit.commit().await.expect("committed");

    let rules = PageRules { default: 50, max: LIMIT };
    let pages = u32::try_from(CONTACTS).expect("a small number") / LIMIT;
    let mut costs: Vec<Vec<Duration>> = vec![Vec::new(); usize::try_from(pages).expect("a small number")];
    let business = database.business();
    for _ in 0..ROUNDS {
        for (page, times) in (1..).zip(&mut costs) {
            let request = rules.page(Some(page), Some(LIMIT)).expect("a valid page");
            let start = Instant::now();
            let filter = ContactFilter::default();
            let found = business
                .contacts()
                .page(&everything(), &filter, &Sort::default(), request)
                .await
                .expect("read");
            times.push(start.elapsed());
            assert_eq!(found.items.len(), usize::try_from(LIMIT).expect("a small number"));
        }
    }
    let costs: Vec<f64> = costs.into_iter().map(|times| median(times).as_secs_f64()).collect();
    let first = costs.first().copied().expect("there are pages");
    let worst = costs.iter().copied().fold(0.0, f64::max);
    let last = costs.last().copied().expect("there are pages");
    println!("{CONTACTS} contacts, {pages} pages of {LIMIT}, median of {ROUNDS} rounds");
    println!(
        "first page {:.2} ms; last {:.2} of it; dearest {:.2} of it",
        first * 1e3,
        last / first,
        worst / first
    );
    ExitCode::SUCCESS
}
