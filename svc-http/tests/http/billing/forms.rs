//! Issued documents as the files that people and programs read.

use serde_json::json;

use super::line;
use super::office::Office;
use crate::test_app::Want;

#[tokio::test]
async fn the_vat_number_of_a_buyer_has_the_prefix_of_its_member_state_wherever_it_lives() {
    let office = Office::new(Want::default()).await;
    for (tax_id, country) in [("DE136695976", "FR"), ("ESB12345674", "ES"), ("EL094259216", "GR")] {
        let contact = json!({"kind": "organization", "legalName": "Sol", "taxId": tax_id, "taxIdType": "vat_eu",
            "address": {"line1": "1", "city": "X", "postalCode": "28001", "country": country}});
        let contact = office.client.post("/contacts", &contact).await.ok(201).id();
        let body =
            json!({"docType": "invoice", "contactId": contact, "lines": [line("100.00")], "issue": true});
        let issued = office.client.post("/billing", &body).await.ok(201).json;
        let file = office.client.get(&format!("{}/ubl", Office::path(&issued))).await.ok(200);
        let buyer = svc_einvoice::read(file.text.as_bytes()).expect("read").invoice.buyer.expect("a buyer");
        assert_eq!(buyer.vat_number.as_deref(), Some(tax_id));
    }
}

#[tokio::test]
async fn an_issued_document_is_a_pdf_and_an_electronic_invoice() {
    let office = Office::new(Want::default()).await;
    let draft = office.draft(&[line("100.00")]).await;
    let path = Office::path(&draft);
    let unissued = office.client.get(&format!("{path}/ubl")).await;
    assert_eq!(unissued.problem(), (409, "not_issued"));
    let pdf = office.client.get(&format!("{path}/pdf")).await;
    assert_eq!((pdf.header("content-type"), pdf.header("x-personal-data")), ("application/pdf", "full"));
    assert!(pdf.text.starts_with("%PDF-"));
    office.issue(&draft).await;
    for form in ["ubl", "facturae"] {
        let file = office.client.get(&format!("{path}/{form}")).await;
        assert_eq!(file.header("content-type"), "application/xml", "{}", file.text);
        assert!(file.header("content-disposition").contains("F2025-00001.xml"));
        let invoice = svc_einvoice::read(file.text.as_bytes()).expect("an invoice").invoice;
        assert_eq!(
            (invoice.number.as_str(), invoice.totals.total.to_string()),
            ("F2025-00001", "121.00".to_owned())
        );
        let buyer = invoice.buyer.expect("a buyer");
        assert!(buyer.tax_id().is_some_and(|id| id.contains("B12345674")), "{form}: {buyer:?}");
    }
    let pdf = office.client.get(&format!("{path}/pdf")).await;
    assert!(pdf.text.starts_with("%PDF-") && pdf.header("content-disposition").contains("F2025-00001.pdf"));
    // A voided one says so where people read it, and no program is given it.
    office.client.post(&format!("{path}/void"), &json!({"reason": "Error."})).await.ok(200);
    for form in ["ubl", "facturae"] {
        let refused = office.client.get(&format!("{path}/{form}")).await;
        assert_eq!(refused.problem(), (409, "invoice_voided"), "{form}");
    }
    assert!(office.client.get(&format!("{path}/pdf")).await.ok(200).text.starts_with("%PDF-"));
    let masked = Office::new(Want { personal_data: false, ..Want::default() }).await;
    let issued = masked.issued(&[line("1.00")]).await;
    for form in ["pdf", "ubl", "facturae"] {
        let refused = masked.client.get(&format!("{}/{form}", Office::path(&issued))).await;
        assert_eq!(refused.problem(), (403, "personal_data_withheld"));
    }
}
