//! Statements of banks, and that one which was taken is not lost.

use std::fmt::Write as _;
use std::ops::Range;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Answer, Api, Receiver, Reply, Site};

/// A table of so many movements, told from one another by their numbers.
pub(crate) fn of(numbers: Range<usize>) -> String {
    numbers.fold("Fecha;Concepto;Importe\r\n".to_owned(), |mut table, number| {
        let _ = write!(table, "15/01/2025;Compra {number};-1,80\r\n");
        table
    })
}

/// Imports a statement of an account.
pub(crate) fn send(api: &Api, account: &str, file: &str) -> Reply {
    let body = format!(
        "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"enero.csv\"\r\n\r\n{file}\r\n--b--\r\n"
    );
    let media = [("content-type", "multipart/form-data; boundary=b")];
    api.call("POST", &format!("/api/v1/treasury/bank-accounts/{account}/imports"), &media, &body)
}

#[test]
fn a_large_statement_outlives_the_server_that_took_it() {
    const LINES: usize = 30_000;
    let site = Site::new();
    let [.., token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let receiver = Receiver::answering(Answer::Status(200));
    api.subscribe(&receiver.url, &["bank_movement.create"]);
    let till = json!({"name": "Till", "type": "cash"});
    let till = api.post("/api/v1/treasury/bank-accounts", &till).expect(201);
    let till = till["id"].as_str().expect("an id");
    let import = send(&api, till, &of(0..LINES)).expect(202);
    let path = format!("/api/v1/treasury/imports/{}", import["id"].as_str().expect("an id"));
    server.kill();
    let server = site.serve();
    let api = server.api(&token);
    // A server that looked for jobs in the very moment before it died has claimed this one for five minutes.
    let deadline = Instant::now() + Duration::from_mins(6);
    while api.get(&path).expect(200)["status"] != "completed" {
        assert!(Instant::now() < deadline, "the import is not done");
        sleep(Duration::from_millis(200));
    }
    let seen = api.get(&path).expect(200);
    assert_eq!((&seen["created"], &seen["duplicates"]), (&json!(LINES), &json!(0)));
    let listed = api.get("/api/v1/treasury/bank-movements?limit=1").expect(200);
    assert_eq!(listed["total"], LINES);
    let told = receiver.next().json();
    assert_eq!((&told["data"]["id"], &told["data"]["movement_count"]), (&import["id"], &json!(LINES)));
    server.stop();
}
