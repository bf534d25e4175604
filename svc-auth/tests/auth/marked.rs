//! Tokens with a mark of a service's own.

use svc_auth::authenticate::Denied;
use svc_auth::token::{Exposure, ExposureSource, TokenValue, report_exposed};
use svc_core::mark::Mark;
use svc_testkit::auth::verbs::rotate;

use crate::test_app::{TestApp, bearer};

const SHOP: Mark = Mark::of("shop_live_");

#[tokio::test]
async fn every_token_of_a_service_has_its_mark_from_creation_to_exposure() {
    let app = TestApp::marked(SHOP);
    let (token, first) = app.create(app.request()).await;
    assert_eq!(token.prefix, first.expose()[.."shop_live_".len() + 3]);
    assert!(app.admit(&bearer(&first)).await.is_ok());

    let unit = app.unit().await;
    let (_, second) = rotate(&*unit, app.call(), token.id, &app.peppers).await.unwrap();
    unit.commit().await.unwrap();
    app.authenticator.forget();
    assert!(second.expose().starts_with("shop_live_"));
    assert!(app.admit(&bearer(&second)).await.is_ok());

    let unit = app.unit().await;
    let source = ExposureSource { url: String::new(), kind: String::new() };
    let report = report_exposed(&*unit, app.call(), second.expose(), &app.peppers, &source).await.unwrap();
    assert!(matches!(report, Exposure::Revoked(_)), "{report:?}");
}

#[tokio::test]
async fn a_stored_token_with_another_mark_is_no_token_of_the_service() {
    let mut app = TestApp::marked(SHOP);
    let shop = app.peppers.clone();
    app.peppers = shop.clone().marked(TokenValue::MARK);
    let (_, standard) = app.create(app.request()).await;
    let refused = app.admit(&bearer(&standard)).await;
    assert!(matches!(refused, Err(Denied::TokenInvalid)), "{refused:?}");
    let unit = app.unit().await;
    let source = ExposureSource { url: String::new(), kind: String::new() };
    let report = report_exposed(&*unit, app.call(), standard.expose(), &shop, &source).await.unwrap();
    assert_eq!(report, Exposure::NotOurs);
}
