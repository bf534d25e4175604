//! Tokens of disjoint scopes: whatever one of them does, through whichever route, it neither sees
//! nor changes anything of the others.
//!
//! Three sides share one database: two of full tokens with two companies each, and one of a masked
//! token. Each case opens with every route that tokens may call, by one side on its own things,
//! and goes on at random: ids, filters and bodies mix all sides, `Idempotency-Key`s and external
//! ids are the same everywhere, and requests of others are sent again word by word. One side
//! acts in each round of steps.
//!
//! 1. No answer holds an id or a text of another side.
//! 2. After the round all that the other sides can read, logs included, is byte for byte as it was.

mod billing;
mod bodies;
mod books;
mod documents;
mod param;
mod purchases;
mod request;
mod route;
mod side;
mod signature;
mod tax;
mod treasury;

use std::collections::BTreeMap;

use serde_json::Value;
use svc_testkit::fakes::SeededRandom;
use svc_testkit::property::values;

use self::request::{Request, Writer};
use self::route::{Route, token_routes};
use self::side::{Side, sides};
use crate::client_area::ClientAreaApp;
use crate::test_app::Answer;

/// Steps at random after the opening of each case.
const STEPS: usize = 30;
/// Rounds of a case, however many routes there are: after each of them every list of the other sides is read, so
/// the whole grows with the routes and not with their square.
const ROUNDS: usize = 12;

/// How often each route was called, and how often with success.
#[derive(Default)]
struct Tally(BTreeMap<String, (usize, usize)>);

#[tokio::test]
#[expect(clippy::print_stdout, reason = "the run tells how far it went")]
async fn no_token_sees_or_changes_anything_of_companies_out_of_its_scope() {
    let (seeds, seed) = values(&(0..u64::MAX), 2);
    let routes = token_routes();
    let mut tally = Tally::default();
    for (case, number) in seeds.into_iter().enumerate() {
        play(&routes, case, number, &mut tally).await;
    }
    let count = |pick: fn(&(usize, usize)) -> usize| tally.0.values().map(pick).sum::<usize>();
    let (steps, done) = (count(|(called, _)| *called), count(|(_, done)| *done));
    println!("disjoint scopes: {steps} steps over {} routes, {done} with success; {seed:?}", tally.0.len());
    for route in &routes {
        let (called, done) = tally.0.get(&route.name()).copied().unwrap_or_default();
        assert!(called > 0 && done > 0, "{}: called {called} times, {done} with success", route.name());
    }
}

async fn play(routes: &[Route], case: usize, number: u64, tally: &mut Tally) {
    let area = ClientAreaApp::new().await.with_books().await;
    let mut sides = sides(&area).await;
    let mut writer = Writer::new(SeededRandom::new(number));
    writer.try_params(routes, &sides);
    let mut states = Vec::new();
    for side in &sides {
        states.push(side.state().await);
    }
    let opener = case % 2;
    let mut last: Vec<Option<Request>> = vec![None; sides.len()];
    let steps: Vec<usize> = (0..routes.len() + STEPS).collect();
    for round in steps.chunks(steps.len().div_ceil(ROUNDS)) {
        let opening = round.first().is_some_and(|first| *first < routes.len());
        let who = if opening { opener } else { writer.below(sides.len()) };
        let (mut told, mut wrote) = (Vec::new(), false);
        for step in round {
            let request = if let Some(route) = routes.get(*step) {
                writer.own(route, &sides[opener])
            } else {
                let heard = last[writer.below(sides.len())].clone().filter(|_| writer.one_in(6));
                heard.unwrap_or_else(|| writer.any(&routes[writer.below(routes.len())], &sides, who))
            };
            let answer = request.send(&sides[who].client).await;
            let place = format!("case {case}, step {step}: {} by {}", request.line(), sides[who].name);
            // One side sees personal data masked, and gets no files.
            let withheld = answer.json["code"] == "personal_data_withheld";
            let refused = matches!(answer.status.as_u16(), 401 | 403 | 405 | 429) && !withheld;
            assert!(!refused, "{place}: {}", answer.text);
            tally.count(&request, &answer);
            for (_, side) in sides.iter().enumerate().filter(|(other, _)| *other != who) {
                unseen(&answer, &request, side, &place);
            }
            told.push(format!("{place}; it was answered {}", answer.text));
            wrote |= request.writes();
            sides[who].learn(&lesson(&answer, &request));
            let shareable = request.is_common() && answer.status.is_success();
            last[who] = if shareable { Some(request) } else { last[who].take() };
        }
        for (other, side) in sides.iter().enumerate().filter(|(other, _)| *other != who) {
            let now = side.state().await;
            assert_eq!(states[other], now, "{} changed by one of\n{}", side.name, told.join("\n"));
        }
        if wrote {
            states[who] = sides[who].state().await;
        }
    }
}

/// Nothing that only the other side knows is in the answer; a refusal may repeat what was asked.
#[track_caller]
fn unseen(answer: &Answer, request: &Request, side: &Side, place: &str) {
    let shown = format!("{:?} {}", answer.headers, answer.text);
    let repeats = !answer.status.is_success() || request.judges_its_items();
    for secret in side.secrets() {
        let leaked = shown.contains(secret) && !(repeats && request.contains(secret));
        assert!(!leaked, "{place} shows {secret} of {}: {shown}", side.name);
    }
}

/// The part of an answer that is about things of the caller's own.
fn lesson(answer: &Answer, request: &Request) -> Value {
    // The catalogue shows everybody the same examples.
    let is_catalogue = request.route.contains(" /webhooks/events");
    if !answer.status.is_success() || is_catalogue {
        return Value::Null;
    }
    match answer.json["items"].as_array() {
        Some(items) if request.judges_its_items() => items.iter().map(|item| item["id"].clone()).collect(),
        Some(_) | None => answer.json.clone(),
    }
}

impl Tally {
    fn count(&mut self, request: &Request, answer: &Answer) {
        let (called, done) = self.0.entry(request.route.clone()).or_default();
        *called += 1;
        *done += usize::from(answer.status.is_success());
    }
}
