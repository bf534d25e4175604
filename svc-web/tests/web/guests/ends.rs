//! Who is not let in, or not any more: each page says why, and shows nothing.

use std::time::Duration;

use serde_json::json;
use svc_business::document::room::{DataRoomGrant, MOST_OPEN_GRANTS};
use svc_business::link::key::{Access, LinkHash};
use svc_testkit::business::envelopes::pdf;
use svc_testkit::business::sample;

use super::world::{Room, code_form};
use crate::page::{Form, Page};

const HOSTILE: &str = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'{{7*7}}";

/// Holds that the page has no form and no document.
#[track_caller]
fn is_dead(page: &Page, text: &str) {
    page.says(text);
    assert!(page.forms().is_empty() && !page.text().contains("Statutes"), "{}", page.html);
}

#[tokio::test]
async fn what_is_wrong_with_a_grant_is_told_beside_its_fields() {
    let room = Room::new().await;
    let (past, far) = (room.day(0).replace("2025", "2024"), room.day(400));
    for (field, value, says) in [
        ("email", "nobody", "e-mail address"),
        ("sections", " \r\n ", "Name at least one section."),
        ("sections", "1 Corporate/", "No part may be blank"),
        ("lastDay", "", "Must be a day"),
        ("lastDay", past.as_str(), "Must be later than now, and within a year."),
        ("lastDay", far.as_str(), "Must be later than now, and within a year."),
    ] {
        let page = room.let_in(&[("email", "Guest@Buyer.example"), (field, value)]).await;
        page.is(422).says(says);
    }
    let many: Vec<String> = (0..21).map(|number| format!("Part {number}")).collect();
    room.let_in(&[("sections", &many.join("\r\n"))]).await.is(422).says("Name at most 20 sections");
    room.ana.get(&room.path("")).await.says("No guests yet.");
    // A form that is sent twice lets one guest in.
    let form = room.ana.get(&room.path("/new")).await.form("/data-room/new");
    let day = room.day(1);
    let form = form.with("email", "a@b.example").with("sections", "Uno").with("lastDay", &day);
    let (one, two) = (room.ana.submit(&form).await, room.ana.submit(&form).await);
    assert_eq!((one.status, &one.path), (200, &two.path));
}

#[tokio::test]
async fn so_many_guests_are_let_in_and_no_more() {
    let room = Room::new().await;
    let page = room.let_in(&[]).await;
    let first = room.grant().await;
    let unit = room.area.database.business().begin().await.unwrap();
    for number in 1..MOST_OPEN_GRANTS {
        let (id, hash) = (sample::id(u128::from(number)), LinkHash::of(&number.to_string()));
        let grant = DataRoomGrant { id, access: Access { hash, ..first.access }, ..first.clone() };
        unit.data_room_grants().insert(&sample::everything(), &grant).await.unwrap();
    }
    unit.commit().await.unwrap();
    room.let_in(&[]).await.is(422).says("The data room lets 200 guests in: end a grant first.");
    // Another day for one who is in takes no more room.
    let form = room.ana.get(&page.path).await.form(&page.path).with("lastDay", &room.day(20));
    room.ana.submit(&form).await.is(200).says("Has access");
    let ask = room.ana.get(&format!("{}/revoke", page.path)).await;
    room.ana.submit(&ask.form("/revoke")).await.is(200).says("Ended");
    room.let_in(&[("email", "next@buyer.example")]).await.is(200).says("next@buyer.example");
}

#[tokio::test]
async fn a_link_shows_nothing_to_another_browser_without_a_code() {
    let room = Room::new().await;
    let entry = room.add(json!({"title": "Statutes"}), &pdf("Statutes")).await;
    room.let_in(&[]).await;
    let (guest, link) = room.inside().await;
    let other = room.browser();
    other.get(&link).await.is(200).says("Confirm that it is you");
    other.get(&format!("{link}/files/{entry}")).await.is(403);
    // Nor does the cookie of one grant count for another one.
    let first = room.link().await;
    room.area.clock.advance(Duration::from_secs(1));
    room.let_in(&[("email", "other@buyer.example")]).await;
    let second = room.link().await;
    assert_ne!(first, second);
    guest.get(&second).await.says("Confirm that it is you");
    // It ends by itself, and by a press.
    guest.get(&link).await.says("Statutes");
    let left = guest.submit(&guest.get(&link).await.form("/leave")).await;
    left.is(200).says("Confirm that it is you");
    guest.get(&format!("{link}/files/{entry}")).await.is(403);
    assert_eq!(room.grant().await.views, 0);
}

#[tokio::test]
async fn a_proof_holds_for_some_hours() {
    let room = Room::new().await;
    room.add(json!({"title": "Statutes"}), &pdf("Statutes")).await;
    room.let_in(&[]).await;
    let (guest, link) = room.inside().await;
    room.area.clock.advance(Duration::from_mins(239));
    guest.get(&link).await.says("Statutes");
    room.area.clock.advance(Duration::from_mins(2));
    guest.get(&link).await.says("Confirm that it is you");
}

#[tokio::test]
async fn a_guest_who_was_shut_out_sees_nothing_any_more() {
    let room = Room::new().await;
    let entry = room.add(json!({"title": "Statutes"}), &pdf("Statutes")).await;
    let page = room.let_in(&[]).await;
    let (guest, link) = room.inside().await;
    let code = guest.get(&link).await.form("/leave");
    let code = Form { action: format!("{link}/code"), ..code };
    let ask = room.ana.get(&format!("{}/revoke", page.path)).await;
    ask.is(200).says("End the access: guest@buyer.example").says("The link is dead at once.");
    let page = room.ana.submit(&ask.form("/revoke")).await;
    page.is(200).says("Ended");
    assert!(!page.forms().iter().any(|form| form.action == page.path), "there is nothing to extend");
    is_dead(&guest.get(&link).await, "Acme has ended your access");
    let file = guest.get(&format!("{link}/files/{entry}")).await;
    file.is(409);
    is_dead(&file, "Acme has ended your access");
    let refused = guest.submit(&code).await;
    refused.is(409);
    is_dead(&refused, "Acme has ended your access");
    room.ana.get(&room.path("")).await.says("Ended");
}

#[tokio::test]
async fn the_time_of_a_guest_ends_and_is_made_longer() {
    let room = Room::new().await;
    room.add(json!({"title": "Statutes"}), &pdf("Statutes")).await;
    let page = room.let_in(&[]).await;
    let link = room.link().await;
    room.area.clock.advance(Duration::from_hours(24 * 12));
    is_dead(&room.browser().get(&link).await, "The time has passed until when Acme gave you access.");
    let ana = room.area.signed_in("ana").await;
    let shown = ana.get(&page.path).await;
    shown.says("Expired");
    let path = page.path.clone();
    let wrong = ana.submit(&shown.form(&path).with("lastDay", "2020-01-01")).await;
    wrong.is(422).says("Must be later than now");
    ana.submit(&shown.form(&path).with("lastDay", &room.day(3))).await.is(200).says("Has access");
    let (guest, again) = room.inside().await;
    assert_eq!(again, link, "the link is the same");
    guest.get(&link).await.says("Statutes");
    room.area.close(room.area.acme).await;
    is_dead(&guest.get(&link).await, "Acme has closed its account here.");
}

#[tokio::test]
async fn a_document_that_was_taken_away_is_not_given_any_more() {
    let room = Room::new().await;
    let entry = room.add(json!({"title": "Statutes"}), &pdf("Statutes")).await;
    let short = json!({"title": "Short", "expiresAt": "2099-01-01T00:00:00Z"});
    room.add(short, b"short").await;
    room.let_in(&[]).await;
    let (guest, link) = room.inside().await;
    guest.get(&link).await.says("2099-01-01");
    room.remove(&entry).await;
    guest
        .get(&format!("{link}/files/{entry}"))
        .await
        .is(404)
        .says("not in the data room any more")
        .says("Short");
}

#[tokio::test]
async fn texts_of_others_are_texts_on_the_pages_of_guests() {
    let room = Room::new().await;
    let section = format!("1 {}", HOSTILE.replace('/', "|"));
    let said = json!({"section": section, "title": HOSTILE, "file": {"name": "a.txt", "containsPersonalData": false}});
    room.add(said, b"one").await;
    let page = room.let_in(&[("sections", &section)]).await;
    page.is(200);
    let (guest, link) = room.inside().await;
    let list = guest.get(&link).await;
    list.says(HOSTILE);
    for page in [&page, &list, &room.ana.get(&room.path("")).await] {
        for harm in ["<script>alert", "<img src=x"] {
            assert!(!page.html.contains(harm), "{}", page.html);
        }
    }
}

#[tokio::test]
async fn grants_of_another_company_are_not_found_and_links_that_are_none_lead_nowhere() {
    let room = Room::new().await;
    let page = room.let_in(&[]).await;
    let (company, id) = page.path.split_once("/data-room/").unwrap();
    let beta = company.replace(&room.area.acme.to_string(), &room.area.beta.to_string());
    for below in ["", "/revoke"] {
        room.ana.get(&format!("{beta}/data-room/{id}{below}")).await.is(404);
    }
    let dora = room.area.signed_in("dora").await;
    dora.get(&page.path).await.is(404);
    room.area.signed_in("carl").await.get(&page.path).await.is(403);
    room.area.signed_in("ben").await.get(&page.path).await.is(200);
    let link = room.link().await;
    let token = link.rsplit('/').next().unwrap();
    let zeros = "0".repeat(43);
    for near in [&token[1..], &format!("{token}0"), zeros.as_str(), "x"] {
        room.browser().get(&format!("/room/{near}")).await.is(404).says("This link leads nowhere");
    }
    // No link of one kind is one of the other.
    room.browser().get(&link.replace("/room/", "/sign/")).await.is(404);
}

#[tokio::test]
async fn codes_are_bounded_and_forms_are_of_the_browser_that_had_them() {
    let room = Room::new().await;
    room.let_in(&[]).await;
    let (guest, link) = (room.browser(), room.link().await);
    let first = guest.get(&link).await.form("/code");
    let other = room.browser();
    other.get(&link).await;
    other.submit(&first).await.is(403).says("This form can no longer be sent");
    for headers in [[("origin", "https://evil.example")], [("origin", "null")]] {
        guest.submit_with(&first, &headers).await.is(403);
    }
    for _ in 0..10 {
        guest.submit(&first).await.is(200).says("A code is on its way");
        room.area.clock.advance(Duration::from_mins(1));
    }
    guest.submit(&first).await.is(429).says("Too many codes were sent.");
    let page = guest.get(&link).await;
    let code = room.code().await;
    let wrong = if code == "000000" { "111111" } else { "000000" };
    for _ in 0..5 {
        guest.submit(&code_form(&page).with("code", wrong)).await.is(422);
    }
    guest.submit(&code_form(&page).with("code", &code)).await.is(422).says("The code holds no longer");
    room.area.clock.advance(Duration::from_hours(24));
    guest.submit(&first).await.is(200).says("A code is on its way");
}
