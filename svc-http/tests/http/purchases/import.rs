//! Electronic invoices as files.

use serde_json::{Value, json};
use svc_einvoice::pdf;

use super::path;
use crate::billing::office::Office;
use crate::multipart::Part;
use crate::test_app::{Answer, Client, Want};

const IMPORT: &str = "/supplier-documents/import";

/// A file in UBL of one line of 100.00 and 21 % of tax.
pub(crate) fn ubl(number: &str, seller: &str, tax_id: Option<&str>) -> String {
    let tax_id = tax_id.map_or_else(String::new, |id| {
        format!(
            "<cac:PartyTaxScheme><cbc:CompanyID>ES{id}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID>\
             </cac:TaxScheme></cac:PartyTaxScheme>"
        )
    });
    let category = |element: &str| {
        format!(
            "<cac:{element}><cbc:ID>S</cbc:ID><cbc:Percent>21</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID>\
             </cac:TaxScheme></cac:{element}>"
        )
    };
    let money =
        |element: &str, amount: &str| format!("<cbc:{element} currencyID=\"EUR\">{amount}</cbc:{element}>");
    format!(
        "<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\" \
         xmlns:cac=\"urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2\" \
         xmlns:cbc=\"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2\">\
         <cbc:ID>{number}</cbc:ID><cbc:IssueDate>2025-02-20</cbc:IssueDate>\
         <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>\
         <cac:AccountingSupplierParty><cac:Party><cac:PostalAddress><cbc:StreetName>Calle Menor 2</cbc:StreetName>\
         <cbc:CityName>Madrid</cbc:CityName><cbc:PostalZone>28013</cbc:PostalZone><cac:Country>\
         <cbc:IdentificationCode>ES</cbc:IdentificationCode></cac:Country></cac:PostalAddress>{tax_id}\
         <cac:PartyLegalEntity><cbc:RegistrationName>{seller}</cbc:RegistrationName></cac:PartyLegalEntity>\
         </cac:Party></cac:AccountingSupplierParty><cac:TaxTotal>{tax}<cac:TaxSubtotal>{base}{tax}{subtotal}\
         </cac:TaxSubtotal></cac:TaxTotal><cac:LegalMonetaryTotal>{net}{without}{total}{payable}\
         </cac:LegalMonetaryTotal><cac:InvoiceLine><cbc:ID>1</cbc:ID>\
         <cbc:InvoicedQuantity unitCode=\"KGM\">4</cbc:InvoicedQuantity>{net}<cac:Item><cbc:Name>Paper</cbc:Name>\
         {of_line}</cac:Item><cac:Price>{price}</cac:Price></cac:InvoiceLine></Invoice>",
        tax = money("TaxAmount", "21.00"),
        base = money("TaxableAmount", "100.00"),
        subtotal = category("TaxCategory"),
        net = money("LineExtensionAmount", "100.00"),
        without = money("TaxExclusiveAmount", "100.00"),
        total = money("TaxInclusiveAmount", "121.00"),
        payable = money("PayableAmount", "121.00"),
        of_line = category("ClassifiedTaxCategory"),
        price = money("PriceAmount", "25.00"),
    )
}

fn part(name: &str, content: impl Into<Vec<u8>>) -> Part {
    (name.to_owned(), content.into())
}

async fn import(client: &Client, file: impl Into<Vec<u8>>) -> Answer {
    client.send_parts(IMPORT, &[], &[part("file", file)]).await
}

fn warned(answer: &Answer) -> Vec<&str> {
    let warnings = answer.json["warnings"].as_array().unwrap();
    warnings.iter().map(|warning| warning["code"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_electronic_invoice_becomes_a_document_of_a_supplier_that_is_added() {
    let office = Office::new(Want::default()).await;
    let read = import(&office.client, ubl("F-1", "Papelería Mar SL", Some("A58818501"))).await.ok(201);
    assert_eq!(read.json["warnings"], json!([]));
    let document = &read.json["document"];
    assert_eq!(read.header("location"), format!("/api/v1{}", path(document)));
    let told = ["docType", "status", "number", "issueDate", "origin"].map(|name| &document[name]);
    let wanted = ["invoice", "received", "F-1", "2025-02-20", "xml"].map(Value::from);
    assert_eq!(told, wanted.each_ref());
    let figures = (&document["totals"]["total"], &document["lines"][0]["unitPrice"]);
    assert_eq!(figures, (&json!("121.00"), &json!("25")));
    let supplier = format!("/suppliers/{}", document["supplierId"].as_str().unwrap());
    let supplier = office.client.get(&supplier).await.ok(200).json;
    assert_eq!((&supplier["name"], &supplier["taxId"]), (&json!("Papelería Mar SL"), &json!("A58818501")));
    assert_eq!(*document, office.client.get(&path(document)).await.ok(200).json);
    // The second one is of the same supplier, who is not added again.
    let second = import(&office.client, ubl("F-2", "Mar", Some("A58818501"))).await.ok(201);
    assert_eq!(second.json["document"]["supplierId"], document["supplierId"]);
    let approved = office.client.post(&format!("{}/approve", path(document)), &json!({})).await.ok(200);
    assert_eq!(approved.json["registerNumber"], json!(1));
}

#[tokio::test]
async fn the_same_invoice_comes_in_once_whatever_its_format() {
    let office = Office::new(Want::default()).await;
    let line = json!({"description": "Obra", "quantity": "2", "unitPrice": "10.00", "taxCode": "es_vat_21"});
    let sold = office.issued(&[line]).await;
    let file = async |format: &str| {
        let path = format!("{}/{format}", Office::path(&sold));
        office.client.get(&path).await.ok(200).text
    };
    let (ubl, facturae) = (file("ubl").await, file("facturae").await);
    let invoice = svc_einvoice::read(ubl.as_bytes()).expect("an invoice").invoice;
    let as_pdf = pdf::render(&invoice, pdf::Options::default()).expect("a PDF file");
    let read = import(&office.client, as_pdf).await.ok(201);
    assert_eq!((&read.json["document"]["totals"]["total"], warned(&read)), (&json!("24.20"), vec![]));
    for other in [ubl, facturae.clone()] {
        let refused = import(&office.client, other).await;
        assert_eq!(refused.problem(), (409, "duplicate_document"));
        assert_eq!(refused.json["existingId"], read.json["document"]["id"]);
    }
    let parts = [part("allowDuplicate", "true"), part("file", facturae)];
    let beside = office.client.send_parts(IMPORT, &[], &parts).await.ok(201);
    assert_eq!((&beside.json["document"]["totals"]["total"], warned(&beside)), (&json!("24.20"), vec![]));
}

#[tokio::test]
async fn what_is_sold_in_any_way_is_bought_for_the_same_amount() {
    let office = Office::new(Want::default()).await;
    let line = |price: &str, tax: &str| json!({"description": "Obra", "unitPrice": price, "taxCode": tax});
    let with = |mut line: Value, further: Value| {
        line.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
        line
    };
    let general = || line("33.33", "es_vat_21");
    let thirds = || with(general(), json!({"quantity": "3", "discountPercent": "12.5"}));
    let mut sold = Vec::new();
    for body in [
        json!({"lines": [thirds(), line("10.01", "es_vat_10"), line("0.07", "es_vat_4")]}),
        json!({"lines": [with(general(), json!({"withholdingRate": "15"}))]}),
        json!({"lines": [thirds(), line("19.99", "es_vat_10")], "discount": {"type": "amount", "value": "7.77"}}),
        json!({"lines": [thirds()], "discount": {"type": "percent", "value": "3"}, "pricesIncludeTax": true}),
        json!({"lines": [with(line("100.00", "es_exempt"), json!({"exemptionCode": "E1"}))]}),
        json!({"lines": [line("100.00", "es_reverse")]}),
    ] {
        let kind = json!({"docType": "invoice", "contactId": office.customer, "issue": true});
        sold.push(office.client.post("/billing", &with(body, kind)).await.ok(201).json);
    }
    let how = json!({"method": "differences", "reasonCode": "R1", "reason": "Devuelto", "lines": [
        with(general(), json!({"quantity": "-1"}))]});
    let back = office.client.post(&format!("{}/rectify", Office::path(&sold[0])), &how).await.ok(201).json;
    sold.push(office.issue(&back).await);
    for sold in &sold {
        for format in ["ubl", "facturae"] {
            let file = office.client.get(&format!("{}/{format}", Office::path(sold))).await.ok(200).text;
            let parts = [part("allowDuplicate", "true"), part("file", file)];
            let read = office.client.send_parts(IMPORT, &[], &parts).await.ok(201);
            let place = format!("{format} of {}: {}", sold["lines"], read.json["document"]["lines"]);
            let figures = |document: &Value| {
                ["total", "payable"].map(|name| document["totals"][name].as_str().unwrap().to_owned())
            };
            assert_eq!(figures(&read.json["document"]), figures(sold), "{place}");
            assert_eq!(warned(&read), Vec::<&str>::new(), "{place}");
            let negative = sold["totals"]["total"].as_str().unwrap().starts_with('-');
            let kind = if negative { "credit_note" } else { "invoice" };
            assert_eq!(read.json["document"]["docType"], json!(kind), "{place}");
        }
    }
}

#[tokio::test]
async fn an_import_that_is_sent_again_is_done_once_though_its_boundary_differs() {
    let office = Office::new(Want::default()).await;
    let key = [("idempotency-key", "import-1")];
    let send = async |number: &str| {
        let parts = [part("file", ubl(number, "Mar SL", None))];
        office.client.send_parts(IMPORT, &key, &parts).await
    };
    let first = send("F-1").await.ok(201);
    let again = send("F-1").await.ok(201);
    assert_eq!((first.json, again.header("idempotent-replayed")), (again.json.clone(), "true"));
    assert_eq!(send("F-2").await.problem(), (422, "idempotency_key_reused"));
}

#[tokio::test]
async fn whose_invoice_it_is_is_told_to_those_alone_who_may_know() {
    let office = Office::new(Want::default()).await;
    let without = import(&office.client, ubl("F-1", "Mar SL", None)).await.ok(201);
    assert_eq!(
        (warned(&without), &without.json["document"]["supplierId"]),
        (vec!["seller_without_tax_id"], &Value::Null)
    );
    let wrong = import(&office.client, ubl("F-1", "Mar SL", Some("A00000001"))).await.ok(201);
    assert_eq!(warned(&wrong), ["seller_unusable"]);
    import(&office.client, ubl("F-1", "Mar SL", Some("A58818501"))).await.ok(201);
    // A token that sees tax ids masked cannot find out which of them are known.
    let masked = office.app.client(Want { personal_data: false, ..Want::default() }).await;
    for tax_id in ["A58818501", "B12345674"] {
        let read = import(&masked, ubl("F-1", "Mar SL", Some(tax_id))).await.ok(201);
        assert_eq!(
            (warned(&read), &read.json["document"]["supplierId"]),
            (vec!["seller_masked"], &Value::Null)
        );
    }
    // One that may not add suppliers takes those that are there.
    let clerk = Want { permissions: &["purchases:documents.*"], ..Want::default() };
    let clerk = office.app.client(clerk).await;
    let known = import(&clerk, ubl("F-2", "Mar SL", Some("A58818501"))).await.ok(201);
    assert!(warned(&known).is_empty() && known.json["document"]["supplierId"].is_string(), "{}", known.text);
    let unknown = import(&clerk, ubl("F-2", "Sol SL", Some("B12345674"))).await.ok(201);
    assert_eq!(warned(&unknown), ["seller_unknown"]);
}

#[tokio::test]
async fn what_is_no_invoice_is_refused_by_name_and_leaves_nothing() {
    let office = Office::new(Want::default()).await;
    let refused = async |parts: &[Part]| {
        let refused = office.client.send_parts(IMPORT, &[], parts).await;
        assert_eq!(refused.problem(), (422, "validation_failed"));
        let error = &refused.json["errors"][0];
        format!("{}: {}", error["field"].as_str().unwrap(), error["code"].as_str().unwrap())
    };
    let whole = ubl("F-1", "Mar SL", Some("A58818501"));
    let good = || part("file", whole.clone());
    for (parts, wanted) in [
        (vec![], "file: required"),
        (vec![part("file", "")], "file: required"),
        (vec![part("file", "no XML")], "file: invalid_invoice"),
        (vec![part("file", "<html/>")], "file: invalid_invoice"),
        (vec![part("file", "%PDF-1.7\n")], "file: invalid_invoice"),
        (vec![part("file", &whole.as_bytes()[..1000])], "file: invalid_invoice"),
        (
            vec![part("file", whole.replace("<cbc:ID>F-1</cbc:ID>", "<cbc:ID> </cbc:ID>"))],
            "file.number: required",
        ),
        (vec![part("file", whole.replace("2025-02-20", "2125-02-20"))], "file.receivedDate: out_of_range"),
        (vec![part("file", whole.replace(">21<", ">19.5<"))], "file.lines[0].tax: invalid_tax_code"),
        (vec![part("file", whole.replace(">21<", ">2100<"))], "file.lines[0].tax: out_of_range"),
        (vec![good(), good()], "file: duplicate_field"),
        (vec![good(), part("allowDuplicate", "perhaps")], "allowDuplicate: invalid_value"),
        (vec![good(), part("companyId", "acc_1")], "companyId: invalid_value"),
        (vec![good(), part("number", "1")], "number: unknown_field"),
    ] {
        assert_eq!(refused(&parts).await, wanted);
    }
    let send = async |media: &str, body: String| {
        office
            .client
            .send(http::Method::POST, "/supplier-documents/import?", &[("content-type", media)], body)
            .await
    };
    let json = send("application/json", whole.clone()).await;
    assert_eq!(json.problem(), (415, "unsupported_media_type"));
    let broken = send("multipart/form-data; boundary=x", whole.clone()).await;
    assert_eq!(broken.problem(), (422, "validation_failed"));
    let large = import(&office.client, vec![b' '; 25 * 1024 * 1024]).await;
    assert_eq!(large.problem(), (413, "payload_too_large"));
    let left = office.client.get("/supplier-documents").await.ok(200).json;
    assert_eq!(left["total"], json!(0));
    assert_eq!(office.client.get("/suppliers").await.ok(200).json["total"], json!(0));
}
