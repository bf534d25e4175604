//! Several processes on one PostgreSQL, and one that is killed: revocation and budgets.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Api, PATIENCE, Server, Site, token_create};

const PASSWORD: &str = "a long enough password";
/// How soon a change of authority reaches every process: each looks for it every 2 seconds (docs/tokens.md).
const EVERYWHERE: Duration = Duration::from_secs(3);

/// A site with a person who signs in.
fn peopled(site: Site) -> (Site, [String; 3]) {
    let made = site.bootstrap();
    let set = ["user", "set-password", "ana@example.com", "--password-stdin"];
    assert!(site.run_with(PASSWORD, &set).status.success());
    (site, made)
}

/// Makes a token in the client area; answers its id and its value.
fn token(ana: &Api) -> (String, String) {
    let made = ana.post("/api/v1/tokens", &json!({"name": "Shop", "permissions": ["full"]})).expect(201);
    ["id", "value"].map(|name| made[name].as_str().expect("text").to_owned()).into()
}

fn code(api: &Api) -> (u16, Value) {
    let reply = api.get("/api/v1/auth/whoami");
    let body: Value = serde_json::from_str(&reply.text).expect("JSON");
    (reply.status, body["code"].clone())
}

/// Waits until the answer is another one; it must be in time.
#[track_caller]
fn await_refusal(api: &Api, since: Instant, expected: &str) {
    let told = loop {
        let (status, code) = code(api);
        if status != 200 {
            break code;
        }
        assert!(since.elapsed() < EVERYWHERE, "still let in after {:?}", since.elapsed());
    };
    assert_eq!(told, expected);
}

#[test]
fn what_one_node_revokes_is_refused_there_at_once_and_on_the_other_within_3_seconds() {
    let Some(site) = Site::on_postgres() else { return };
    let (site, _) = peopled(site);
    let (here, there) = (site.serve(), site.serve());
    let ana = here.bare().sign_in("ana@example.com", PASSWORD);
    for (step, expected) in
        [("disable", "token_disabled"), ("revoke", "token_revoked"), ("rotate", "token_invalid")]
    {
        let (id, value) = token(&ana);
        let [near, far] = [&here, &there].map(|node| node.api(&value));
        assert_eq!([code(&near).0, code(&far).0], [200, 200], "both have it in their caches");
        ana.post(&format!("/api/v1/tokens/{id}/{step}"), &json!({})).expect(200);
        let since = Instant::now();
        assert_eq!(code(&near), (401, json!(expected)), "{step} counts at once where it was done");
        await_refusal(&far, since, expected);
    }
    here.stop();
    there.stop();
}

#[test]
fn what_a_command_revokes_is_refused_by_every_node_within_3_seconds() {
    let Some(site) = Site::on_postgres() else { return };
    let (site, [account, user, _]) = peopled(site);
    let nodes = [site.serve(), site.serve()];
    let create = token_create(&account, &user);
    for (step, expected) in
        [("disable", "token_disabled"), ("revoke", "token_revoked"), ("rotate", "token_invalid")]
    {
        let made = site.json(&create);
        let [id, value] = ["id", "token"].map(|name| made[name].as_str().expect("text").to_owned());
        let holders = nodes.each_ref().map(|node| node.api(&value));
        assert_eq!(holders.each_ref().map(|holder| code(holder).0), [200, 200]);
        site.json(&["token", step, &id]);
        let since = Instant::now();
        for holder in &holders {
            await_refusal(holder, since, expected);
        }
    }
    nodes.into_iter().for_each(Server::stop);
}

/// Sends requests to every node in turn until each has refused some; answers how many were let in.
fn admitted(holders: &[Api]) -> u64 {
    let mut admitted = 0;
    let mut refusals_in_a_row = 0;
    for holder in holders.iter().cycle() {
        match holder.get("/api/v1/auth/whoami").status {
            200 => {
                admitted += 1;
                refusals_in_a_row = 0;
            }
            429 => refusals_in_a_row += 1,
            other => panic!("{other}"),
        }
        if refusals_in_a_row == 2 * holders.len() {
            break;
        }
    }
    admitted
}

#[track_caller]
fn assert_shared(admitted: u64, budget: u64) {
    println!("{admitted} of a budget of {budget} were admitted by two processes");
    assert!(admitted <= budget, "{admitted} of {budget}: more than the budget");
    assert!(admitted * 100 >= budget * 95, "{admitted} of {budget}: more than 5 % short");
}

#[test]
fn two_nodes_share_the_quota_of_a_month() {
    let Some(site) = Site::on_postgres() else { return };
    let site = site.with("SVC_LIMITS__PER_MINUTE", "400").with("SVC_LIMITS__PER_MONTH", "300");
    let [_, _, token] = site.bootstrap();
    let nodes = [site.serve(), site.serve()];
    assert_shared(admitted(&nodes.each_ref().map(|node| node.api(&token))), 300);
    let refused = nodes[0].api(&token).get("/api/v1/auth/whoami").expect(429);
    assert_eq!(refused["code"], "quota_exceeded");
    nodes.into_iter().for_each(Server::stop);
}

#[test]
fn two_nodes_share_the_requests_of_a_minute() {
    let Some(site) = Site::on_postgres() else { return };
    let site = site.with("SVC_LIMITS__PER_MINUTE", "200");
    let [_, _, token] = site.bootstrap();
    let nodes = [site.serve(), site.serve()];
    let holders = nodes.each_ref().map(|node| node.api(&token));
    await_a_whole_minute(&holders[0]);
    let before = holders[0].get("/api/v1/auth/whoami");
    let admitted = admitted(&holders) + 1;
    let after = holders[1].get("/api/v1/auth/whoami");
    assert!(resets_in(&after) <= resets_in(&before), "all of it was within one minute");
    assert_eq!(after.expect(429)["code"], "rate_limited");
    assert_shared(admitted, 200);
    nodes.into_iter().for_each(Server::stop);
}

/// Seconds until the budget of the minute is full again.
fn resets_in(reply: &crate::harness::Reply) -> u64 {
    let told = reply.header("ratelimit").expect("told");
    let minute = told.split(", ").find(|part| part.starts_with("\"minute\"")).expect("told");
    let seconds = minute.split(";t=").nth(1).expect("told");
    seconds.parse().expect("a number")
}

/// Waits for a new minute, of which nothing is used.
fn await_a_whole_minute(holder: &Api) {
    let deadline = Instant::now() + PATIENCE + Duration::from_secs(30);
    let mut last = resets_in(&holder.get("/api/v1/auth/whoami"));
    loop {
        let now = resets_in(&holder.get("/api/v1/auth/whoami"));
        if now > last {
            return;
        }
        last = now;
        assert!(Instant::now() < deadline, "no new minute came");
    }
}

#[test]
fn a_kill_loses_no_more_of_the_quota_than_one_draw() {
    a_kill_loses_one_draw(Site::new());
}

#[test]
fn a_kill_loses_no_more_of_the_quota_than_one_draw_on_postgresql() {
    if let Some(site) = Site::on_postgres() {
        a_kill_loses_one_draw(site);
    }
}

fn a_kill_loses_one_draw(site: Site) {
    // A fortieth of the minute's budget is drawn at a time.
    let (quota, draw, before) = (200, 20, 55);
    let site = site.with("SVC_LIMITS__PER_MINUTE", "800").with("SVC_LIMITS__PER_MONTH", &quota.to_string());
    let [_, _, token] = site.bootstrap();
    let server = site.serve();
    for _ in 0..before {
        server.api(&token).get("/api/v1/auth/whoami").expect(200);
    }
    server.kill();
    let server = site.serve();
    let after = admitted(&[server.api(&token)]);
    println!("{before} before the kill and {after} after it, of {quota}");
    assert!(before + after <= quota, "{before} + {after}: more than the quota");
    assert!(before + after + draw >= quota, "{before} + {after}: more than one draw was lost");
    server.stop();
}

#[test]
fn what_a_node_did_not_use_is_given_back_when_it_ends() {
    let site = Site::new().with("SVC_LIMITS__PER_MINUTE", "800").with("SVC_LIMITS__PER_MONTH", "100");
    let [_, _, token] = site.bootstrap();
    for round in 1..=4 {
        let server = site.serve();
        let reply = server.api(&token).get("/api/v1/auth/whoami");
        let told = reply.header("ratelimit").expect("told").to_owned();
        assert!(told.contains(&format!("\"month\";r={};", 100 - round)), "round {round}: {told}");
        server.stop();
    }
}
