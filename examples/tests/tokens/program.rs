//! The example `tokens` ends by itself, with what it promises.

use std::process::Command;

#[test]
fn a_token_may_what_it_says_survives_a_restart_and_ends() {
    let run = Command::new(env!("CARGO_BIN_EXE_tokens")).output().expect("it runs");
    let (said, complained) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && complained.is_empty(), "{said}{complained}");
    let expected = [
        "a token, shown this once: svc_live_",
        "GET /files: 401 {\"code\":\"token_missing\"",
        "POST /files: 403 {\"code\":\"missing_permission\",\"required_permission\":\"archive:files.create\"",
        "POST /files: 201 {\"name\":\"plan.pdf\"}",
        "GET /files: 200 [{\"name\":\"plan.pdf\"}]",
        "restarted",
        "GET /me: 200 {\"name\":\"integration\",\"permissions\":[\"archive:files.read\"]",
        "GET /me: 401 {\"code\":\"token_revoked\"",
        "GET /me: 401 {\"code\":\"tenant_gone\"",
    ];
    assert_eq!(said.lines().count(), expected.len(), "{said}");
    for (line, begin) in said.lines().zip(expected) {
        assert!(line.starts_with(begin), "`{line}` does not begin with `{begin}`");
    }
}
