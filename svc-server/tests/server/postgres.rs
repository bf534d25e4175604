//! The same executable on PostgreSQL; where there is none, `svc_testkit::postgres` says so once.

use crate::harness::{Answer, Receiver, Site, token_create};
use crate::{delivery, isolation, replays};

#[test]
fn a_change_arrives_once_signed_and_as_the_specification_writes_it() {
    if let Some(site) = Site::on_postgres() {
        delivery::a_change_arrives(&site);
    }
}

#[test]
fn a_receiver_that_always_fails_is_called_six_times_and_a_redelivery_is_a_new_one() {
    if let Some(site) = Site::on_postgres() {
        delivery::six_attempts(&site);
    }
}

#[test]
fn nothing_is_lost_when_the_server_is_killed_with_500_events_undelivered() {
    if let Some(site) = Site::on_postgres() {
        delivery::killed(site);
    }
}

#[test]
fn a_replay_goes_on_after_kills_and_adds_nothing_twice() {
    if let Some(site) = Site::on_postgres() {
        replays::killed(&site);
    }
}

#[test]
fn an_attempt_under_way_is_finished_before_the_server_ends() {
    if let Some(site) = Site::on_postgres() {
        delivery::finished(&site);
    }
}

#[test]
fn hostile_receivers_cost_the_healthy_no_delivery_and_the_server_no_slot() {
    if let Some(site) = Site::on_postgres() {
        isolation::beside_hostile_ones(site);
    }
}

#[test]
fn operators_work_while_servers_run_and_servers_follow() {
    let Some(site) = Site::on_postgres() else { return };
    let [account, user, _] = site.bootstrap();
    let api_node = site.start(&["serve", "--no-dispatch", "--json"]);
    let sender_node = site.start(&["serve", "--dispatch-only", "--json"]);

    let create = token_create(&account, &user);
    let made = site.json(&create);
    let token = made["token"].as_str().expect("a value");
    let api = api_node.api(token);
    let receiver = Receiver::answering(Answer::Status(200));
    api.subscribe(&receiver.url, &["contact.create"]);
    let contact = api.contact("Luna SA");
    assert_eq!(receiver.next().json()["data"]["id"], contact, "the other node sends it");

    site.json(&["token", "revoke", made["id"].as_str().expect("an id")]);
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while api.get("/api/v1/auth/whoami").status != 401 {
        assert!(std::time::Instant::now() < deadline, "the node did not follow the revocation");
    }
    sender_node.stop();
    api_node.stop();
}

#[test]
fn backups_are_left_to_the_tools_of_postgresql() {
    let Some(site) = Site::on_postgres() else { return };
    let run = site.run(&["backup", "copy.db", "--json"]);
    assert_eq!((run.status.code(), run.error()["code"].as_str()), (Some(2), Some("backup_unsupported")));
}

#[test]
fn another_master_key_is_refused() {
    let Some(site) = Site::on_postgres() else { return };
    site.bootstrap();
    let other = site.with("SVC_MASTER_KEY", &"43".repeat(32));
    assert_eq!(other.run(&["token", "list", "--json"]).error()["code"], "wrong_master_key");
}
