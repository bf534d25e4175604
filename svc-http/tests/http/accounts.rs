//! Companies and groups by the API.

use serde_json::json;
use svc_core::id::AccountId;

use crate::client_area::{Browser, ClientAreaApp};
use crate::test_app::{Client, TestApp, Want};

#[tokio::test]
async fn a_token_creates_nothing_that_stands_alone_or_out_of_its_reach() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let alone = json!({"legalName": "Filial SL", "legalForm": "sl"});
    assert_eq!(client.post("/accounts", &alone).await.problem(), (403, "account_token_not_accepted"));
    let body = json!({"legalName": "Filial SL", "legalForm": "sl", "parentAccountId": app.ours.to_string()});
    // In a group that the token does not name it would be out of its reach.
    assert_eq!(client.post("/accounts", &body).await.problem(), (403, "subsidiary_out_of_reach"));
    assert_eq!(client.get("/groups").await.ok(200).json["total"], 0);
    let foreign = json!({"legalName": "F", "legalForm": "sl", "parentAccountId": app.other.to_string()});
    let refused = client.post("/accounts", &foreign).await;
    assert_eq!((refused.problem(), refused.field().0), ((422, "unknown_reference"), "parentAccountId"));
}

#[tokio::test]
async fn a_company_is_changed_deactivated_and_brought_back() {
    let app = TestApp::new().await;
    let client = app.client(Want { companies: &[app.other], ..Want::default() }).await;
    let path = format!("/accounts/{}", app.other);
    let read = client.get(&path).await.ok(200);
    assert_eq!((read.header("x-personal-data"), &read.json["duplicateAccountIds"]), ("full", &json!([])));
    let tag = read.header("etag").to_owned();
    client.patch(&path, &[("if-match", &tag)], &json!({"tradeName": "Luna"})).await.ok(200);
    assert_eq!(client.delete(&path, &[("if-match", &tag)]).await.problem().0, 412);
    assert_eq!(client.delete(&path, &[]).await.ok(200).json["status"], "deactivated");
    let refused = client.patch(&path, &[], &json!({"tradeName": "Sol"})).await;
    assert_eq!(refused.problem(), (409, "account_deactivated"));
    assert_eq!(refused.json["currentState"], "deactivated");
    let again = client.post(&format!("{path}/reactivate"), &json!({})).await.ok(200);
    assert_eq!(again.json["status"], "active");
    let primary = client.delete(&format!("/accounts/{}", app.ours), &[]).await;
    assert_eq!(primary.problem(), (409, "cannot_deactivate_primary"));
}

#[tokio::test]
async fn members_are_listed_and_never_written_by_a_token() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let path = format!("/accounts/{}/members", app.ours);
    let list = client.get(&path).await.ok(200);
    assert_eq!((&list.json["items"][0]["role"], &list.json["hasMore"]), (&json!("holder"), &json!(false)));
    assert_eq!(list.json["items"][0]["email"], "ana@example.com");
    assert_eq!(client.post(&path, &json!({})).await.problem(), (403, "account_token_not_accepted"));
    let one = format!("{path}/mem_1");
    assert_eq!(client.patch(&one, &[], &json!({})).await.problem(), (403, "account_token_not_accepted"));
    assert_eq!(client.get(&format!("/accounts/{}/members", app.other)).await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn a_merge_moves_the_contacts_and_refuses_the_primary_company() {
    let app = TestApp::new().await;
    let client = app.client(Want { companies: &[app.other], ..Want::default() }).await;
    let body = json!({"kind": "organization", "legalName": "Luna SL", "companyId": app.other.to_string()});
    let contact = client.post("/contacts", &body).await.ok(201).id();
    let refused = client
        .post(&format!("/accounts/{}/merge", app.other), &json!({"mergedId": app.ours.to_string()}))
        .await;
    assert_eq!(refused.problem(), (409, "cannot_merge_primary"));
    let path = format!("/accounts/{}/merge", app.ours);
    client.post(&path, &json!({"mergedId": app.other.to_string()})).await.ok(200);
    assert_eq!(
        client.get(&format!("/contacts/{contact}")).await.ok(200).json["companyId"],
        app.ours.to_string()
    );
}

#[tokio::test]
async fn a_merged_company_is_shown_to_who_reaches_its_survivor_and_changes_no_more() {
    let area = ClientAreaApp::new().await;
    let [ana, dora] = [area.browser("ana").await, area.browser("dora").await];
    let client = async |browser: &Browser, companies: &[AccountId]| {
        let [primary, others @ ..] = companies else { panic!("a token has a primary account") };
        let body = json!({
            "name": "Shop", "permissions": ["full"], "primaryAccountId": primary, "accountIds": others,
        });
        let made = browser.post("/tokens", &body).await.ok(201);
        Client { router: area.router.clone(), token: made.json["value"].as_str().unwrap().to_owned() }
    };
    let ours = client(&ana, &[area.acme, area.beta]).await;
    let stranger = client(&dora, &[area.gamma]).await;
    let merge = json!({ "mergedId": area.beta });
    ours.post(&format!("/accounts/{}/merge", area.acme), &merge).await.ok(200);

    let path = format!("/accounts/{}", area.beta);
    let merged = ours.get(&path).await.ok(200);
    assert_eq!((merged.id(), &merged.json["status"]), (area.beta.to_string(), &json!("merged")));
    assert_eq!(merged.json["mergedIntoId"], area.acme.to_string());
    for refused in [
        ours.patch(&path, &[], &json!({"tradeName": "x"})).await,
        ours.delete(&path, &[]).await,
        ours.post(&format!("{path}/reactivate"), &json!({})).await,
        ours.post(&format!("{path}/merge"), &json!({ "mergedId": area.acme })).await,
    ] {
        assert_eq!(refused.problem(), (409, "account_merged"));
    }
    assert_eq!(stranger.get(&path).await.problem(), (404, "not_found"));
    assert_eq!(stranger.patch(&path, &[], &json!({"tradeName": "x"})).await.problem(), (404, "not_found"));
    let own = ours.get("/accounts").await.ok(200);
    assert_eq!(own.json["total"], 1, "it is in no list");
}
