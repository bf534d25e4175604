//! The example `orders` ends by itself, with what it promises.

use std::process::Command;

#[test]
fn what_committed_is_delivered_and_what_rolled_back_is_not() {
    let run = Command::new(env!("CARGO_BIN_EXE_orders")).output().expect("it runs");
    let (said, complained) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{said}{complained}");
    let told = said.lines().next().unwrap_or_default();
    assert!(told.contains("\"type\":\"order.placed\"") && told.contains("\"total_cents\":4200"), "{said}");
    assert!(said.contains("orders kept: 1"), "{said}");
}
