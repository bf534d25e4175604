//! Lists of sales documents.

use serde_json::json;

use super::line;
use super::office::Office;
use crate::test_app::Want;

#[tokio::test]
async fn a_list_has_documents_is_narrowed_and_takes_lines_along() {
    let office = Office::new(Want::default()).await;
    let first = office.issued(&[line("100.00")]).await;
    office.draft(&[line("900.00")]).await;
    let list = office.client.get("/billing").await.ok(200).json;
    assert_eq!((&list["total"], &list["limit"], &list["hasMore"]), (&json!(2), &json!(50), &json!(false)));
    assert!(list["documents"][0].get("lines").is_none());
    for (query, wanted) in [
        ("status=issued", 1),
        ("docType=invoice&status=draft", 1),
        ("paymentStatus=unpaid", 1),
        ("number=F2025-00001", 1),
        ("currency=EUR", 2),
        ("currency=USD", 0),
        ("minTotal=500", 1),
        ("minTotal=100&maxTotal=200.00", 1),
        ("q=sol", 1),
        ("overdue=true", 0),
        ("from=2025-03-01&to=2025-03-01&status=issued", 1),
        ("to=2025-02-28&status=issued", 0),
        ("sort=-total&limit=1", 2),
    ] {
        let found = office.client.get(&format!("/billing?{query}")).await.ok(200).json;
        assert_eq!(found["total"], wanted, "{query}");
    }
    let contact = first["contactId"].as_str().unwrap();
    let found = office
        .client
        .get(&format!("/billing?contactId={contact}&include=lines&limit=500"))
        .await
        .ok(200)
        .json;
    assert_eq!((&found["total"], &found["limit"]), (&json!(2), &json!(100)));
    assert_eq!(found["documents"][0]["lines"][0]["netAmount"], "100.00");
    assert_eq!(office.client.get("/billing?limit=9999").await.ok(200).json["limit"], 500);
    for (query, field) in
        [("minTotal=x", "minTotal"), ("currency=euro", "currency"), ("overdue=maybe", "overdue")]
    {
        let refused = office.client.get(&format!("/billing?{query}")).await;
        assert_eq!((refused.problem(), refused.field().0), ((400, "invalid_parameter"), field));
    }
}
