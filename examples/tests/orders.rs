//! The examples `orders` and `orders_own_store` end by themselves, with what they promise.

use std::process::Command;

#[test]
fn what_committed_is_delivered_and_what_rolled_back_is_not() {
    tells_of_the_kept_order(env!("CARGO_BIN_EXE_orders"));
}

#[test]
fn over_a_storage_of_its_own_the_shop_does_the_same() {
    tells_of_the_kept_order(env!("CARGO_BIN_EXE_orders_own_store"));
}

fn tells_of_the_kept_order(program: &str) {
    let run = Command::new(program).output().expect("it runs");
    let (said, complained) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{said}{complained}");
    let told = said.lines().next().unwrap_or_default();
    assert!(told.contains("\"type\":\"order.placed\"") && told.contains("\"total_cents\":4200"), "{said}");
    assert!(said.contains("orders kept: 1"), "{said}");
}
