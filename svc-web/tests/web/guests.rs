//! Guests of a data room: let in by the client area, known by a link and a code, and given what they were let into.

mod ends;
mod world;

use std::time::Duration;

use serde_json::json;
use svc_testkit::business::envelopes::pdf;

use self::world::{Room, code_form, request_form};

const STAMPED: &str = "/SvcShown Do\n/SvcStamp Do";

#[tokio::test]
async fn a_guest_is_let_in_proves_a_code_and_opens_files() {
    let room = Room::new().await;
    let plain = room.add(json!({"title": "Statutes"}), &pdf("Statutes")).await;
    let below = json!({"section": "1 Corporate/1.2 Minutes", "title": "Minutes", "watermark": true});
    let stamped = room.add(below, &pdf("Minutes")).await;
    let listed = json!({"title": "Only listed", "downloadable": false});
    let listed = room.add(listed, b"a text").await;
    let text = room
        .add(
            json!({"title": "A page", "file": {"name": "a.html", "containsPersonalData": false}}),
            b"<html><script>1</script>",
        )
        .await;
    let elsewhere = room.add(json!({"section": "2 Tax", "title": "Elsewhere"}), b"tax").await;

    let page = room.let_in(&[]).await;
    page.is(200).says("guest@buyer.example").says("Has access").says("1 Corporate (4 files by now)");
    page.says("Last visit never").says("Files opened 0").says("Files with personal data not given");
    let (guest, link) = (room.browser(), room.link().await);
    let page = guest.get(&link).await;
    page.is(200).says("Acme shows you documents in its data room.").says("is sent to g***@buyer.example");
    assert!(!page.text().contains("Statutes") && !page.html.contains("guest@buyer"), "{}", page.html);
    guest.get(&format!("{link}/files/{plain}")).await.is(403).says("Confirm that it is you");
    let page = guest.submit(&page.form("/code")).await;
    page.is(200).says("A code is on its way to your mail.");
    let early = guest.submit(&request_form(&page)).await;
    early.is(429).says("Wait 60 seconds");
    assert_eq!(early.headers["retry-after"], "60");
    let code = room.code().await;
    let other = if code == "000000" { "111111" } else { "000000" };
    let page = guest.submit(&code_form(&early).with("code", other)).await;
    page.is(422).says("The code is another one. Tries that are left:");
    let page = guest.submit(&code_form(&page).with("code", &code)).await;
    page.is(200).says("They are for guest@buyer.example alone.").says("1.1 Statutes 1 kB – Open");
    page.says("1 Corporate/1.2 Minutes").says("1.2.1 Minutes").says("Only listed 1 kB – listed only");
    assert!(!page.text().contains("Elsewhere") && !page.text().contains("2 Tax"), "{}", page.text());
    assert!(!page.links().iter().any(|link| link.ends_with(&listed)), "what is listed only has no link");

    let read = guest.get(&format!("{link}/files/{plain}")).await;
    assert_eq!((read.status, read.html.as_bytes()), (200, pdf("Statutes").as_slice()));
    for (name, value) in [
        ("content-type", "application/pdf"),
        ("cache-control", "no-store"),
        ("x-robots-tag", "noindex, nofollow"),
        ("referrer-policy", "no-referrer"),
        ("accept-ranges", "none"),
    ] {
        assert_eq!(read.headers[name], value, "{name}");
    }
    assert!(read.headers["content-disposition"].to_str().unwrap().starts_with("inline"));
    let page = guest.get(&format!("{link}/files/{text}")).await;
    assert!(
        page.headers["content-disposition"].to_str().unwrap().starts_with("attachment"),
        "no page runs here"
    );
    guest
        .get(&format!("{link}/files/{listed}"))
        .await
        .is(409)
        .says("That document is listed, and not given.");
    for missing in [elsewhere.as_str(), "drf_0", "x"] {
        guest.get(&format!("{link}/files/{missing}")).await.is(404).says("not in the data room any more");
    }
    let views = room.get(&format!("/data-room/files/{plain}/views")).await;
    let view = &views["items"][0];
    assert_eq!((&view["channel"], &view["guestEmail"]), (&json!("guest"), &json!("guest@buyer.example")));
    assert_eq!(view["grantId"], json!(room.grant().await.id.to_string()));
    assert_eq!((&view["tokenId"], &view["userId"]), (&json!(null), &json!(null)));
    let page = room.ana.get(&room.path("")).await;
    page.says("guest@buyer.example 1 Corporate Has access").says("UTC 2");
    assert!(stamped.starts_with("drf_"));
}

#[tokio::test]
async fn a_stamped_file_is_given_to_a_guest_with_their_address_on_it_alone() {
    let room = Room::new().await;
    let entry = room.add(json!({"watermark": true}), &pdf("Statutes")).await;
    room.let_in(&[]).await;
    let (guest, link) = room.inside().await;
    let (status, bytes) = {
        let page = guest.get_bytes(&format!("{link}/files/{entry}")).await;
        (page.0, String::from_utf8_lossy(&page.1).into_owned())
    };
    assert_eq!(status, 200);
    assert!(bytes.contains(STAMPED) && !bytes.contains(&String::from_utf8(pdf("Statutes")).unwrap()));
    room.area.clock.advance(Duration::from_secs(1));
    let (_, later) = guest.get_bytes(&format!("{link}/files/{entry}")).await;
    assert_ne!(String::from_utf8_lossy(&later), bytes, "the instant of each reading is on it");
    assert_eq!(room.grant().await.views, 2);
    let (_, file) = (0, room.get(&format!("/data-room/files/{entry}")).await);
    assert_eq!(file["views"], 2);
}

#[tokio::test]
async fn files_with_personal_data_are_given_where_that_was_said() {
    let room = Room::new().await;
    let said = json!({"title": "Payroll", "file": {"name": "a.txt", "containsPersonalData": true}});
    let entry = room.add(said, b"salaries").await;
    room.let_in(&[]).await;
    let (guest, link) = room.inside().await;
    guest.get(&link).await.says("Payroll 1 kB – contains personal data");
    guest.get(&format!("{link}/files/{entry}")).await.is(409).says("is not given to you");
    room.area.clock.advance(Duration::from_secs(1));
    room.let_in(&[("personalData", "yes"), ("email", "other@buyer.example")])
        .await
        .says("Files with personal data given");
    let (guest, link) = room.inside().await;
    let read = guest.get(&format!("{link}/files/{entry}")).await;
    assert_eq!((read.status, read.html.as_str()), (200, "salaries"));
}

#[tokio::test]
async fn a_guest_of_several_sections_goes_from_one_to_the_other() {
    let room = Room::new().await;
    room.add(json!({"title": "Statutes"}), b"one").await;
    room.add(json!({"section": "10 Other", "title": "Last"}), b"two").await;
    room.add(json!({"section": "2 Tax", "title": "Returns"}), b"three").await;
    room.let_in(&[("sections", "10 Other\r\n\r\n 2 tax \r\n1 Corporate"), ("language", "es")]).await.is(200);
    let (guest, link) = {
        let (guest, link) = (room.browser(), room.link().await);
        let page = guest.submit(&guest.get(&link).await.form("/code")).await;
        page.says("Un código va camino de su correo.");
        let page = guest.submit(&code_form(&page).with("code", &room.code().await)).await;
        page.is(200)
            .says("Son solo para guest@buyer.example.")
            .says("1 Corporate 2 tax 10 Other")
            .says("1.1 Statutes");
        assert!(!page.text().contains("Returns"), "{}", page.text());
        (guest, link)
    };
    guest.get(&format!("{link}?section=2")).await.says("2.1 Returns");
    let page = guest.get(&format!("{link}?section=3")).await;
    page.says("10.1 Last");
    assert!(!page.text().contains("Returns"), "{}", page.text());
    for odd in ["0", "4", "x", "-1"] {
        guest.get(&format!("{link}?section={odd}")).await.is(200).says("Statutes");
    }
}
