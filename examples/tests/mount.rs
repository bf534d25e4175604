//! The example `mount` ends by itself, with what it promises.

use std::process::Command;

#[test]
fn the_api_answers_beside_the_programs_own_routes_and_its_links_have_the_prefix() {
    let run = Command::new(env!("CARGO_BIN_EXE_mount")).output().expect("it runs");
    let (said, complained) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && complained.is_empty(), "{said}{complained}");
    let expected = [
        "GET /hours: 200 [\"9-14\",\"17-20\"]",
        "POST /billing/api/v1/contacts: 201 {",
        "Location: /billing/api/v1/contacts/con_",
        "GET /billing/api/v1/contacts/con_",
    ];
    assert_eq!(said.lines().count(), expected.len(), "{said}");
    for (line, begin) in said.lines().zip(expected) {
        assert!(line.starts_with(begin), "`{line}` does not begin with `{begin}`");
    }
    let read = said.lines().last().unwrap_or_default();
    assert!(read.contains(": 200 {") && read.contains("\"Acme SL\""), "{said}");
}
