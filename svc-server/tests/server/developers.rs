//! `demo` and `listen`.

use serde_json::{Value, json};

use crate::harness::{Answer, Api, Receiver, Site};

/// What the steps of the demo lead to.
const TOLD: [(&str, usize); 24] = [
    ("contact.create", 4),
    ("contact.update", 1),
    ("contact.merge", 1),
    ("account.update", 1),
    ("invoice.create", 1),
    ("invoice.issue", 1),
    ("invoice.pay", 1),
    ("supplier.create", 1),
    ("supplier_document.create", 1),
    ("supplier_document.update", 2),
    ("fixed_asset.create", 1),
    ("fixed_asset.update", 3),
    ("journal_entry.create", 6),
    ("journal_entry.post", 6),
    ("payment_id pay_", 1),
    ("bank_account.create", 1),
    ("movement_count 2", 1),
    ("reconciliation.confirm", 2),
    ("invoice.update", 1),
    ("tax_return.update", 2),
    ("tax_return.submit", 1),
    ("file.create", 3),
    ("envelope.sent", 1),
    ("envelope.completed", 1),
];

#[test]
fn the_demo_shows_verified_deliveries_and_leaves_nothing_behind() {
    let site = Site::new();
    let folder = site.path().join("tmp");
    std::fs::create_dir(&folder).expect("made");
    let site = site.with("TMPDIR", folder.to_str().expect("text"));
    let run = site.run(&["demo", "--once"]);
    assert!(run.status.success(), "{run:?}");
    assert_eq!(run.stdout.matches("signature verified").count(), 43, "{}", run.stdout);
    for (told, times) in TOLD {
        assert_eq!(run.stdout.matches(told).count(), times, "{told} in {}", run.stdout);
    }
    let balance = "balances: 7,200.00 EUR of assets = 7,200.00 EUR of equity and liabilities";
    assert!(run.stdout.contains(balance), "{}", run.stdout);
    assert!(run.stdout.contains("The books hold: 4 posted entries"), "{}", run.stdout);
    // 242.87 of the sale less 1,260.00 of the lathe.
    assert!(run.stdout.contains("1,017.13 EUR (refundable)"), "{}", run.stdout);
    assert!(run.stdout.contains("It is sealed, and whole"), "{}", run.stdout);
    assert_eq!(std::fs::read_dir(&folder).expect("there").count(), 0, "the folder is removed");
}

#[test]
fn the_demo_fills_the_company_with_the_documents_that_are_asked_for() {
    let run = Site::new().run(&["demo", "--data", "30", "--once", "--json"]);
    assert!(run.status.success(), "{run:?}");
    let lines: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let filled = &lines[0]["filled"];
    // How many are paid is a matter of the day of the year.
    let wanted = json!({"documents": 30, "contacts": 8, "suppliers": 3, "invoices": 19, "quotes": 1, "drafts": 1,
        "supplierDocuments": 9, "supplierDocumentsApproved": 8, "fixedAssets": 1, "cases": 2});
    for (name, count) in wanted.as_object().expect("an object") {
        assert_eq!(filled[name], *count, "{name} in {filled}");
    }
    assert!(lines[0]["documentsPerSecond"].is_number(), "{}", lines[0]);
    let step = |name: &str| &lines.iter().find(|line| line["step"] == name).expect("the step")["figures"];
    let number = step("issue")["number"].as_str().expect("text");
    assert!(number.ends_with("-00020"), "{number} follows the 19 that were there");
    let [balance, books] = ["balance_sheet", "verification"].map(step);
    assert_eq!(balance["totalAssets"], balance["totalEquityAndLiabilities"]);
    assert_eq!(books["holds"], true);
    assert!(books["entries"].as_u64().is_some_and(|entries| entries > 19 + 8 + 4), "{books}");
    let told: Vec<_> = lines.iter().filter(|line| line["verified"] == true).collect();
    // The quarter before has documents on most days of the year, and an entry that settles their VAT.
    let settled = usize::from(step("quarter")["settlementEntryId"].is_string());
    assert_eq!(told.len(), 42 + settled, "the filling tells nothing, and the company is complete: {told:#?}");
}

#[test]
fn the_demo_stays_up_and_shows_what_its_token_does() {
    let site = Site::new();
    let mut demo = site.start(&["demo", "--json"]);
    let mut line = demo.ready.clone();
    while line.get("token").is_none() {
        line = demo.line();
    }
    let token = line["token"].as_str().expect("a token");
    let address =
        line["api"].as_str().expect("a URL").trim_start_matches("http://").trim_end_matches("/api/v1");
    let api = Api::new(address.parse().expect("an address"), token);
    let contact = api.contact("Luna SA");
    let shown = demo.line();
    assert_eq!((&shown["event"], &shown["verified"]), (&json!("contact.create"), &json!(true)));
    assert_eq!(shown["body"]["data"]["id"], contact);
    demo.stop();
}

#[test]
fn listen_verifies_what_the_server_sends() {
    let site = Site::new();
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let (subscription, secret) = {
        // The secret is known after the subscription, the port before it.
        let port = Receiver::answering(Answer::Status(200));
        api.subscribe(&port.url, &["contact.create"])
    };
    let mut listen = site.start(&["listen", "--port", "0", "--secret", &secret, "--json"]);
    let url = listen.ready["url"].as_str().expect("a URL").to_owned();
    let path = format!("/api/v1/webhooks/subscriptions/{subscription}");
    api.patch(&path, &json!({"url": url})).expect(200);
    let contact = api.contact("Luna SA");
    let line = listen.line();
    assert_eq!(line["verified"], true, "{line}");
    assert_eq!(line["status"], 200);
    assert_eq!(line["body"]["data"]["id"], contact);

    let forged = receiver(&url).call("POST", "/", &[("X-SVC-Webhook-Signature", "t=1,sha256=00")], "{}");
    assert_eq!(forged.status, 400);
    assert_eq!(listen.line()["verified"], false);
    listen.stop();
    server.stop();
}

#[test]
fn listen_forwards_what_it_gets_and_answers_as_the_target_does() {
    let site = Site::new();
    let target = Receiver::answering(Answer::Status(418));
    let mut listen = site.start(&["listen", "--port", "0", "--forward-to", &target.url, "--json"]);
    let url = listen.ready["url"].as_str().expect("a URL").to_owned();
    let headers = [("X-SVC-Webhook-Id", "evt_1"), ("X-SVC-Webhook-Event", "contact.create")];
    let body = r#"{"id":"evt_1"}"#;
    assert_eq!(receiver(&url).call("POST", "/", &headers, body).status, 418);
    let forwarded = target.next();
    assert_eq!((forwarded.event_id(), forwarded.body.as_str()), ("evt_1", body));
    let first = listen.line();
    assert_eq!((&first["verified"], &first["repeated"]), (&json!(null), &json!(false)));
    receiver(&url).call("POST", "/", &headers, body);
    assert_eq!(listen.line()["repeated"], true);
    listen.stop();
}

#[test]
fn listen_answers_what_it_is_told_to() {
    let site = Site::new();
    let listen = site.start(&["listen", "--port", "0", "--answer", "503", "--json"]);
    let url = listen.ready["url"].as_str().expect("a URL").to_owned();
    assert_eq!(receiver(&url).call("POST", "/", &[], "{}").status, 503);
    assert_eq!(receiver(&url).get("/").status, 405);
    listen.stop();
}

fn receiver(url: &str) -> Api {
    Api::new(url.trim_start_matches("http://").trim_end_matches('/').parse().expect("an address"), "none")
}
