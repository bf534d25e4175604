//! Assistants at the real server, and what its operator sees of them.

use serde_json::{Value, json};

use crate::harness::Site;

#[test]
fn what_an_assistant_calls_is_written_down_and_listed() {
    let site = Site::new().with("SVC_LOG", "info");
    let [account, user, token] = site.bootstrap();
    let id = site.json(&["token", "list"])["items"][0]["id"].as_str().expect("an id").to_owned();
    let (server, log) = site.serve_logged();
    let call = |name: &str, arguments: Value| {
        let params = json!({"name": name, "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        let headers = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2025-11-25"),
            ("User-Agent", "desk/1.0"),
        ];
        server.api(&token).call("POST", "/mcp", &headers, &body).expect(200)
    };
    let overview = call("company_overview", json!({}));
    assert_eq!(overview["result"]["structuredContent"]["company"], account);
    let unknown = json!({"id": "inv_00000000000000000000000009", "if_version": 1});
    assert_eq!(call("invoice_issue", unknown)["result"]["isError"], true);
    let subscription =
        json!({"name": "Shop", "url": "https://shop.example/hooks", "events": ["contact.create"]});
    let asked = call("webhook_manage", json!({"action": "create", "data": subscription}));
    let told: Value =
        serde_json::from_str(asked["result"]["content"][0]["text"].as_str().expect("text")).expect("JSON");
    let page = told["url"].as_str().expect("where its person decides");
    assert!(page.contains("/approvals/apr_"), "{told}");
    server.stop();
    assert!(log.whole().contains("svc_http::observe"));
    assert!(!log.whole().contains("rmcp"), "the library of the protocol says that each message came");

    let calls = site.json(&["mcp", "calls", &id]);
    let calls: Vec<_> = calls["items"].as_array().expect("a list").iter().rev().collect();
    let told =
        |name: &str| -> Vec<_> { calls.iter().map(|call| call[name].as_str().unwrap_or_default()).collect() };
    assert_eq!(told("tool"), ["company_overview", "invoice_issue", "webhook_manage"]);
    assert_eq!(told("outcome"), ["done", "not_found", "approval_required"]);
    assert_eq!((told("client")[0], told("from")[0]), ("desk/1.0", "127.0.0.1"));
    assert!(!calls[2]["arguments"].to_string().contains("shop.example"), "{}", calls[2]);
    // A token is no connection; those of people are.
    assert_eq!(site.json(&["mcp", "connections"])["items"], json!([]));
    let table = site.run(&["mcp", "calls", &id]).stdout;
    assert!(table.contains("company_overview") && user.starts_with("usr_"), "{table}");
}
