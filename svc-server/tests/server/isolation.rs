//! Hostile receivers beside healthy ones: the healthy miss nothing, and nothing is left behind.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};

use svc_testkit::hostile::{Certificate, Certificates, Door, End, HostileReceiver, Stage, corpus};
use tokio::runtime::Runtime;

use crate::harness::{Answer, Api, Receiver, Site, await_that, token_create};

const COMPANIES: usize = 3;
/// Of each company; with its hostile ones no more than it may have.
const HEALTHY: usize = 16;
const HOSTILE: usize = 4;
const CONTACTS: usize = 5;
const IN_FLIGHT: &str = "svc_webhook_attempts_in_flight";

#[test]
fn hostile_receivers_cost_the_healthy_no_delivery_and_the_server_no_slot() {
    beside_hostile_ones(Site::new());
}

pub(crate) fn beside_hostile_ones(site: Site) {
    let mut site = site.with("SVC_WEBHOOKS__TIMEOUT", "1s");
    // A client that used the proxy of the environment would deliver nothing: that port is closed.
    for proxy in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        site = site.with(proxy, "http://127.0.0.1:9");
    }
    let [account, holder, token] = site.bootstrap();
    let mut tokens = vec![token];
    for number in 1..COMPANIES {
        let name = format!("Luna {number} SA");
        let founded = ["account", "create", "--legal-name", &name, "--legal-form", "sa", "--holder", &holder];
        let made = site.json(&founded);
        let other = made["accountId"].as_str().expect("an id");
        assert_ne!(other, account);
        let made = site.json(&token_create(other, &holder));
        tokens.push(made["token"].as_str().expect("a token").to_owned());
    }
    let server = site.serve();
    let apis: Vec<_> = tokens.iter().map(|token| server.api(token)).collect();
    let healthy = Receiver::open(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)), Answer::Status(200));
    let (_, at) = healthy.url.rsplit_once(':').expect("a port");
    let port = at.trim_end_matches("/hook");
    for (company, api) in apis.iter().enumerate() {
        for number in 0..HEALTHY {
            api.subscribe(&format!("http://127.1.{company}.{number}:{port}/hook"), &["contact.create"]);
        }
    }
    let runtime = Runtime::new().expect("threads");
    let hostile = runtime.block_on(hostile_receivers());
    let watched: Vec<_> = hostile
        .iter()
        .enumerate()
        .map(|(number, receiver)| {
            let api = &apis[number % COMPANIES];
            (api, api.subscribe(&receiver.url_by_address(), &["contact.create"]).0, receiver)
        })
        .collect();

    let mut contacts = Vec::new();
    for _ in 0..CONTACTS {
        contacts.extend(apis.iter().enumerate().map(|(company, api)| (company, api.contact("Sol SL"))));
    }

    // On a machine that stands still for a while, an answer may come too late and the attempt be made again.
    let mut missing: BTreeSet<(String, String)> = contacts
        .iter()
        .flat_map(|(company, contact)| {
            (0..HEALTHY).map(move |number| (contact.clone(), format!("127.1.{company}.{number}:{port}")))
        })
        .collect();
    while !missing.is_empty() {
        let hit = healthy.next();
        let contact = hit.json()["data"]["id"].as_str().expect("an id").to_owned();
        missing.remove(&(contact, hit.header("host").to_owned()));
    }
    for (api, subscription, receiver) in watched {
        all_ended(api, &subscription, receiver);
    }
    await_that("every slot is free", || server.counted(IN_FLIGHT) == 0);
    for receiver in &hostile {
        let name = receiver.behaviour.name;
        await_that(name, || receiver.behaviour.kept || receiver.open() == 0);
    }
    server.stop();
}

/// Waits until all deliveries to a hostile receiver have ended, as its behaviour says.
fn all_ended(api: &Api, subscription: &str, receiver: &HostileReceiver) {
    let path = format!("/api/v1/webhooks/subscriptions/{subscription}/deliveries?limit=100");
    let name = receiver.behaviour.name;
    let may_arrive = receiver.behaviour.ends.iter().any(|end| match end {
        End::Answered(status) => (200..300).contains(status),
        End::Timeout | End::Connect | End::Tls | End::Broken => false,
    });
    let is_over = |status: &serde_json::Value| status == "failed" || status == "delivered";
    await_that(name, || {
        let log = api.get(&path).expect(200);
        let items = log["items"].as_array().expect("a list");
        let all = items.len() == CONTACTS && items.iter().all(|item| is_over(&item["status"]));
        if all {
            for item in items {
                let as_it_should =
                    if may_arrive { is_over(&item["status"]) } else { item["status"] == "failed" };
                assert!(as_it_should, "{name}: {item}");
                assert!(item["status"] == "delivered" || item["attempts"] == 6, "{name}: {item}");
            }
        }
        all
    });
}

/// Receivers from everywhere in the corpus, but for those that show to whom trusts them only.
async fn hostile_receivers() -> Vec<HostileReceiver> {
    let stage = Stage {
        tick: std::time::Duration::from_millis(20),
        elsewhere: "http://127.0.0.1:9/".to_owned(),
        certificates: Certificates::generate(),
    };
    let shown: Vec<_> = corpus().into_iter().filter(|one| one.door != Door::Tls(Certificate::Good)).collect();
    let count = COMPANIES * HOSTILE;
    let mut receivers = Vec::new();
    for behaviour in shown.iter().step_by(shown.len().div_ceil(count)) {
        receivers.push(HostileReceiver::start(*behaviour, &stage).await.expect("a port"));
    }
    assert!(receivers.len() > 9, "{}", receivers.len());
    receivers
}
