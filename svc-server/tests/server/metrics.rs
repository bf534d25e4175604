//! What is documented of metrics and alerts is what a server exposes.

mod alerts;
mod document;
mod exposed;

use std::collections::{BTreeMap, BTreeSet};

use self::alerts::Alert;
use self::exposed::exposed;
use crate::harness::{Answer, Receiver, Site, await_that};

/// The kind of a metric, and its labels.
type Form = (String, BTreeSet<String>);
type Metrics = BTreeMap<String, Form>;

#[test]
fn the_documented_metrics_are_those_that_servers_expose() {
    let documented = document::metrics();
    let site = Site::new();
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    let api = server.api(&token);
    let receiver = Receiver::answering(Answer::Status(200));
    api.subscribe(&receiver.url, &["contact.create"]);
    api.contact("Luna SA");
    api.get("/api/v1/nothing").expect(404);
    receiver.next();

    // Those of TLS are exposed by a server that does it itself.
    let secure = Site::new();
    let made = rcgen::generate_simple_self_signed(["svc.example.com".to_owned()]).expect("a certificate");
    std::fs::write(secure.path().join("cert.pem"), made.cert.pem()).expect("written");
    std::fs::write(secure.path().join("key.pem"), made.signing_key.serialize_pem()).expect("written");
    let secure = secure.with("SVC_TLS__CERT", "cert.pem").with("SVC_TLS__KEY", "key.pem");
    let with_tls = secure.serve();

    let mut found = Metrics::new();
    await_that("every documented metric is exposed", || {
        found = exposed(&server.admin().get("/metrics").text);
        found.extend(exposed(&with_tls.admin().get("/metrics").text));
        documented.keys().all(|name| found.contains_key(name))
    });
    assert_eq!(found, documented);
    assert_eq!(["svc_database_up", "svc_webhook_places"].map(|gauge| server.counted(gauge)), [1, 512]);
    // What never happened is told from the start.
    assert_eq!(exposed::labelled(&with_tls.admin().get("/metrics").text, "svc_webhook_attempts_total"), 9);
    server.stop();
    with_tls.stop();
}

#[test]
fn every_alert_asks_for_documented_metrics_and_has_a_section_that_says_what_to_do() {
    let documented = document::metrics();
    let alerts = alerts::read();
    for Alert { name, expr, runbook } in &alerts {
        let (metrics, labels) = alerts::asked(expr);
        assert!(!metrics.is_empty(), "{name} asks for nothing: {expr}");
        for metric in metrics {
            if alerts::FOREIGN.contains(&metric.as_str()) {
                continue;
            }
            let histogram = ["_bucket", "_sum", "_count"].iter().find_map(|end| metric.strip_suffix(end));
            let (kind, known) = histogram
                .and_then(|base| documented.get(base).filter(|(kind, _)| kind == "histogram"))
                .or_else(|| documented.get(&metric))
                .unwrap_or_else(|| panic!("{name} asks for {metric}, which is not documented"));
            let counted = expr.contains("rate(") || expr.contains("increase(");
            assert_eq!(counted, kind != "gauge", "{name} takes {metric}, a {kind}, in the wrong way: {expr}");
            let unknown: Vec<_> = labels.iter().filter(|label| !known.contains(*label)).collect();
            assert!(unknown.is_empty(), "{name} chooses by {unknown:?}, which {metric} does not have");
        }
        assert_eq!(*runbook, format!("docs/operations.md#{}", name.to_lowercase()));
    }
    let named: Vec<_> = alerts.iter().map(|alert| alert.name.clone()).collect();
    assert_eq!(named, document::alert_sections(), "rules and sections, in one order");
}
