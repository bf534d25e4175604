//! The example's storage keeps what the ports promise, and loses nothing when everything goes wrong.

use svc_core::unit::UnitOfWork as _;
use svc_examples::own_store::OwnStore;
use svc_testkit::property;
use svc_testkit::simulation::run_over;

/// Worlds in the short form; `SVC_TEST_CASES` sets the long one.
const WORLDS: u32 = 20;

async fn empty() -> Box<OwnStore> {
    Box::default()
}

svc_testkit::webhook_storage_contract! { make: empty }
svc_testkit::webhook_storage_model! { make: empty }

#[tokio::test]
async fn an_order_is_kept_with_the_commit_of_its_unit_or_not_at_all() {
    let store = empty().await;
    let unit = store.unit().await;
    assert_eq!((unit.place(1_250), store.orders()), (1, 0), "seen by its unit alone");
    drop(unit);
    let unit = store.unit().await;
    assert_eq!(unit.place(4_200), 1, "what was dropped is gone");
    Box::new(unit).commit().await.expect("committed");
    assert_eq!(store.orders(), 1);
}

#[test]
fn servers_that_crash_and_stall_over_it_lose_nothing() {
    let (seeds, _) = property::seeds(WORLDS);
    let (mut stale, mut deliveries) = (0, 0);
    for seed in seeds {
        match run_over(seed, empty) {
            Ok(figures) => (stale, deliveries) = (stale + figures.stale, deliveries + figures.deliveries),
            Err(violation) => {
                panic!("{violation}\nrepeat with {}=1 {}={seed}", property::CASES, property::SEED)
            }
        }
    }
    assert!(deliveries > 0, "the worlds live");
    assert!(stale > 0 || std::env::var_os(property::CASES).is_some(), "leases end while work is under way");
}
