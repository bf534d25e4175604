//! Purchases: suppliers and their documents kept whole in every state, found by every filter, registered without a gap.

use serde_json::{Value, json};
use svc_business::books::fiscal_year::Span;
use svc_business::invoicing::DueDocument;
use svc_business::purchases::document::{Means, PaymentStatus, State, SupplierDocument};
use svc_business::purchases::input::{PaymentRequest, RejectRequest, SupplierDocumentInput, VoidRequest};
use svc_business::purchases::operations::{self, PurchaseRefused, SupplierRefused};
use svc_business::purchases::supplier::{Supplier, SupplierStatus, SupplierType};
use svc_business::purchases::{Outline, PurchaseFilter, PurchaseSort, SupplierFilter, SupplierSort};
use svc_business::record::{self, Home};
use svc_core::id::{SupplierDocumentId, SupplierId};
use svc_core::page::{Direction, Sort};
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_core::resource::{Expected, ResourceReader};
use time::macros::date;

use super::shop::Shop;
use super::{Storage, assert_taken, attempt, due, whole};
use crate::business::sample::{at, everything, id, scope};

/// A company that buys, and a supplier of it.
struct Buyer {
    shop: Shop,
    supplier: Supplier,
}

impl Buyer {
    async fn new(storage: Storage) -> Self {
        let shop = Shop::new(storage).await;
        let supplier = supplier(&shop, &json!({"contactId": shop.customer, "code": "S-1"})).await;
        Self { shop, supplier: supplier.expect("a supplier") }
    }

    async fn receive(&self, body: &Value) -> SupplierDocument {
        let mut input: SupplierDocumentInput = serde_json::from_value(body.clone()).expect("a patch");
        if matches!(input.issue_date, Patch::Absent) {
            input.issue_date = Patch::Value("2025-02-20".to_owned());
        }
        let received = self.shop.within(async |unit, call| {
            let home: Home<'_, _> = record::home::<SupplierDocument>(unit, call, self.shop.company.id)
                .await
                .map_err(Refused::widen)?;
            operations::create(&home, &input).await
        });
        received.await.unwrap_or_else(|refused: Refused<PurchaseRefused>| panic!("{body}: {refused:?}"))
    }

    /// An invoice of one line at this price.
    async fn invoice(&self, number: &str, price: &str) -> SupplierDocument {
        let line = json!({"description": "Papel", "unitPrice": price});
        let body =
            json!({"docType": "invoice", "supplierId": self.supplier.id, "number": number, "lines": [line]});
        self.receive(&body).await
    }

    async fn with<T>(
        &self,
        id: SupplierDocumentId,
        beside: &[SupplierDocumentId],
        work: impl AsyncFnOnce(record::Opened<'_, SupplierDocument>) -> Result<T, Refused<PurchaseRefused>>,
    ) -> T {
        let done = self.shop.within(async |unit, call| {
            let opened = record::alone::<SupplierDocument>(unit, call, id, beside, &Expected::Any);
            work(opened.await.map_err(Refused::widen)?).await
        });
        done.await.unwrap_or_else(|refused| panic!("{id}: {refused}"))
    }

    async fn approve(&self, id: SupplierDocumentId) -> SupplierDocument {
        self.with(id, &[], async |opened| {
            operations::approve(opened, &serde_json::from_value(json!({})).expect("a request")).await
        })
        .await
    }

    async fn pay(&self, id: SupplierDocumentId, payment: Value) -> SupplierDocument {
        let request: PaymentRequest = serde_json::from_value(payment).expect("a request");
        let beside: Vec<_> = request.offset_document.into_iter().collect();
        self.with(id, &beside, async |opened| operations::pay(opened, &request).await).await.document
    }

    async fn find(&self, id: SupplierDocumentId) -> Option<SupplierDocument> {
        let documents = self.shop.storage.supplier_documents();
        ResourceReader::<SupplierDocument>::find(documents, &everything(), id).await.expect("find")
    }

    /// Holds that what is kept is this, whole and in outline.
    async fn is_kept(&self, document: &SupplierDocument) {
        assert_eq!(self.find(document.id).await.as_ref(), Some(document));
        let payments = document.approval_data().map_or(&[][..], |approval| approval.settlement.payments());
        for payment in payments {
            let documents = self.shop.storage.supplier_documents();
            let found = documents.of_payment(document.company, payment.id).await.expect("find");
            let is_money = matches!(payment.means, Means::Money { .. });
            assert_eq!(found, is_money.then_some(document.id));
            let (unmatched, leads) = due::payment_leads(payment);
            for (leads, expected) in leads {
                let found = documents.unmatched(document.company, &leads, 100).await.expect("find");
                assert_eq!(found.contains(&unmatched), expected, "{leads:?}");
            }
        }
        let led_to = led_to(document);
        let is_due = document.state() == State::Approved && document.due().minor() != 0;
        for (leads, expected) in due::leads(&led_to, is_due) {
            let documents = self.shop.storage.supplier_documents();
            let found = documents.due(document.company, &leads, 100).await.expect("find");
            let found = found.iter().find(|found| found.document == document.id);
            assert_eq!(found, expected.then_some(&led_to), "{leads:?}");
        }
        let documents = self.shop.storage.supplier_documents();
        let outline = ResourceReader::<Outline>::find(documents, &everything(), document.id).await;
        assert_eq!(outline.expect("find"), Some(document.outline()));
    }

    async fn listed(
        &self,
        filter: &PurchaseFilter,
        sort: PurchaseSort,
        direction: Direction,
    ) -> Vec<SupplierDocumentId> {
        let (documents, sort) = (self.shop.storage.supplier_documents(), Sort(Some((sort, direction))));
        let page = ResourceReader::<Outline>::page(documents, &everything(), filter, &sort, whole()).await;
        let page = page.expect("a page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"), "{filter:?}");
        let same =
            ResourceReader::<SupplierDocument>::page(documents, &everything(), filter, &sort, whole()).await;
        let same: Vec<_> = same.expect("a page").items.iter().map(SupplierDocument::outline).collect();
        assert_eq!(same, page.items, "{filter:?}");
        page.items.into_iter().map(|outline| outline.id).collect()
    }
}

/// The document as leads find it.
fn led_to(document: &SupplierDocument) -> DueDocument<SupplierDocumentId> {
    let approval = document.approval_data();
    DueDocument {
        document: document.id,
        number: document.number.as_ref().map(ToString::to_string),
        contact: approval.map(|approval| approval.contact),
        name: approval.map(|approval| approval.supplier.name.clone()),
        due: document.due(),
        due_date: document.due_date(),
        issued: document.issue_date,
    }
}

async fn supplier(shop: &Shop, body: &Value) -> Result<Supplier, Refused<SupplierRefused>> {
    let input = serde_json::from_value(body.clone()).expect("a patch");
    shop.within(async |unit, call| {
        let home: Home<'_, _> =
            record::home::<Supplier>(unit, call, shop.company.id).await.map_err(Refused::widen)?;
        operations::create_supplier(&home, &input).await
    })
    .await
}

/// A supplier comes back as it was written, and is found by every filter.
pub async fn a_supplier_comes_back_whole(storage: Storage) {
    let buyer = Buyer::new(storage).await;
    let body = json!({"contact": {"kind": "organization", "legalName": "Luz y Gas SA", "email": "luz@gas.example"},
        "supplierType": "creditor", "paymentTermDays": 15, "paymentMethod": "direct_debit",
        "defaultExpenseAccountCode": "6280000", "defaultTaxCode": "es_in_10", "defaultWithholdingRate": "19",
        "withholdingKey": "rent", "vatRegime": "exempt", "externalId": "x-1", "metadata": {"k": "v"}});
    let light = supplier(&buyer.shop, &body).await.unwrap_or_else(|refused| panic!("{refused:?}"));
    let suppliers = buyer.shop.storage.suppliers();
    for one in [&buyer.supplier, &light] {
        assert_eq!(suppliers.find(&everything(), one.id).await.expect("find").as_ref(), Some(one));
        let found = suppliers.of_contact(one.company, one.contact).await.expect("find");
        assert_eq!(found, Some(one.id));
    }
    assert_eq!(suppliers.find(&scope(&[id(9)]), light.id).await.expect("find"), None);
    let plain = SupplierFilter { companies: vec![light.company], ..SupplierFilter::default() };
    let of = |narrow: &dyn Fn(&mut SupplierFilter)| {
        let mut filter = plain.clone();
        narrow(&mut filter);
        filter
    };
    let both = vec![buyer.supplier.id, light.id];
    let cases: [(SupplierFilter, Vec<SupplierId>); 10] = [
        (plain.clone(), both.clone()),
        (of(&|filter| filter.status = Some(SupplierStatus::Archived)), vec![]),
        (of(&|filter| filter.status = Some(SupplierStatus::Active)), both.clone()),
        (of(&|filter| filter.supplier_type = Some(SupplierType::Creditor)), vec![light.id]),
        (of(&|filter| filter.contact = Some(light.contact)), vec![light.id]),
        (of(&|filter| filter.contacts = Some(vec![light.contact, id(77)])), vec![light.id]),
        (of(&|filter| filter.code = Some("S-1".to_owned())), vec![buyer.supplier.id]),
        (of(&|filter| filter.external_id = Some("x-1".to_owned())), vec![light.id]),
        (of(&|filter| filter.updated_since = Some(at(0))), both.clone()),
        (of(&|filter| filter.updated_since = Some(at(60))), vec![]),
    ];
    for (filter, mut wanted) in cases {
        for key in [SupplierSort::Name, SupplierSort::CreatedAt, SupplierSort::UpdatedAt] {
            let sort = Sort(Some((key, Direction::Ascending)));
            let page = suppliers.page(&everything(), &filter, &sort, whole()).await.expect("a page");
            assert_eq!(page.total, u64::try_from(wanted.len()).expect("few"), "{filter:?}");
            let mut found: Vec<_> = page.items.iter().map(|supplier| supplier.id).collect();
            found.sort();
            wanted.sort();
            assert_eq!(found, wanted, "{filter:?}");
        }
    }
    let companies = [light.company];
    let named = suppliers.contacts_with_text(&everything(), &companies, "luz").await.expect("read");
    assert_eq!(named, [light.contact]);
    let tax_id = buyer.shop.company.tax_id.clone().expect("a tax id");
    let found = suppliers.contacts_with_tax_id(&everything(), &companies, &tax_id).await.expect("read");
    assert_eq!(found, [buyer.shop.customer]);
    let same = Supplier { id: id(99), ..buyer.supplier.clone() };
    let outcome = attempt!(buyer.shop.storage, |unit| unit.suppliers().insert(&everything(), &same));
    assert_taken(&outcome, "supplierCode");
}

/// A document comes back as it was written, in each state.
pub async fn a_supplier_document_comes_back_whole(storage: Storage) {
    let buyer = Buyer::new(storage).await;
    let received = buyer
        .receive(&json!({"docType": "invoice", "supplierId": buyer.supplier.id, "number": "A-1", "currency": "USD",
            "fxRate": "0.9", "issueDate": "2025-02-20", "receivedDate": "2025-02-25", "operationDate": "2025-02-18",
            "dueDate": "2025-05-01", "notes": "Ojo", "paymentMethod": "transfer", "tags": ["a", "b"],
            "iban": "ES9121000418450200051332", "externalId": "x-1", "metadata": {"k": "v"},
            "discount": {"type": "amount", "value": "1.00"},
            "taxAdjustments": [{"taxCode": "es_in_21", "quota": "3.84"}], "lines": [
                {"description": "Uno", "quantity": "2", "unit": "HUR", "unitPrice": "9.99", "discountPercent": "5",
                 "withholdingRate": "15", "accountCode": "6230000", "deductiblePercent": "50",
                 "tags": {"obra": "tejado"}},
                {"description": "Dos", "unitPrice": "10", "taxCode": "es_in_exempt", "itemType": "good"},
            ]}))
        .await;
    buyer.is_kept(&received).await;
    let approved = buyer.approve(received.id).await;
    assert_eq!(approved.state(), State::Approved);
    buyer.is_kept(&approved).await;
    let asset = json!({"description": "Furgoneta", "unitPrice": "20000.00", "assetClass": "vehicles"});
    let van =
        json!({"docType": "invoice", "supplierId": buyer.supplier.id, "number": "A-2", "lines": [asset]});
    let van = buyer.receive(&van).await;
    let van = buyer.approve(van.id).await;
    assert_eq!(van.approval_data().map(|approval| approval.assets.len()), Some(1));
    buyer.is_kept(&van).await;
    let cash = json!({"amount": "200.00", "date": "2025-03-01", "method": "cash", "reference": "R-1"});
    buyer.is_kept(&buyer.pay(van.id, cash).await).await;
    let line = json!({"description": "Vuelta", "unitPrice": "-10.00"});
    let credit =
        json!({"docType": "credit_note", "supplierId": buyer.supplier.id, "number": "A-3", "lines": [line]});
    let credit = buyer.receive(&credit).await;
    let credit = buyer.approve(credit.id).await;
    let offset =
        json!({"amount": "12.10", "date": "2025-03-01", "method": "offset", "offsetDocumentId": credit.id});
    buyer.is_kept(&buyer.pay(van.id, offset).await).await;
    let credit = buyer.find(credit.id).await.expect("kept");
    assert_eq!(credit.payment_status(), PaymentStatus::Paid);
    buyer.is_kept(&credit).await;
    let wrong = buyer.invoice("A-4", "1.00").await;
    let reason = RejectRequest { reason: "Ajena".to_owned() };
    let rejected = buyer.with(wrong.id, &[], async |opened| operations::reject(opened, &reason).await).await;
    buyer.is_kept(&rejected).await;
    buyer.is_kept(&buyer.with(wrong.id, &[], operations::reopen).await).await;
    let voided = buyer.approve(buyer.invoice("A-5", "1.00").await.id).await;
    let reason = VoidRequest { reason: "Error".to_owned() };
    let voided = buyer.with(voided.id, &[], async |opened| operations::void(opened, &reason).await).await;
    assert_eq!(voided.state(), State::Voided);
    buyer.is_kept(&voided).await;
}

/// Lists are narrowed by every filter and come in the order asked for, whole and in outline alike.
pub async fn every_filter_narrows_a_list_of_supplier_documents(storage: Storage) {
    let buyer = Buyer::new(storage).await;
    let cheap = buyer.approve(buyer.invoice("B-1", "10.00").await.id).await;
    let dear = buyer.approve(buyer.invoice("B-2", "900.00").await.id).await;
    let received = buyer.invoice("B-3", "50.00").await;
    let bare = buyer.receive(&json!({"docType": "expense", "externalId": "x-1", "notes": "Zócalo"})).await;
    let paid = buyer.pay(cheap.id, json!({"amount": "12.10", "date": "2025-03-01", "method": "cash"})).await;
    let plain = PurchaseFilter { companies: vec![buyer.shop.company.id], ..PurchaseFilter::default() };
    let of = |narrow: fn(&mut PurchaseFilter)| {
        let mut filter = plain.clone();
        narrow(&mut filter);
        filter
    };
    let all = vec![cheap.id, dear.id, received.id, bare.id];
    let cases = [
        (plain.clone(), all.clone()),
        (of(|filter| filter.state = Some(State::Approved)), vec![cheap.id, dear.id]),
        (of(|filter| filter.state = Some(State::Received)), vec![received.id, bare.id]),
        (of(|filter| filter.payment_status = Some(PaymentStatus::Paid)), vec![paid.id]),
        (of(|filter| filter.payment_status = Some(PaymentStatus::Unpaid)), vec![dear.id]),
        (of(|filter| filter.overdue = Some(date!(2030 - 01 - 01))), vec![dear.id]),
        (of(|filter| filter.doc_type = Some("expense".parse().expect("a type"))), vec![bare.id]),
        (
            PurchaseFilter { supplier: Some(buyer.supplier.id), ..plain.clone() },
            vec![cheap.id, dear.id, received.id],
        ),
        (of(|filter| filter.number = Some("B-2".to_owned())), vec![dear.id]),
        (of(|filter| filter.text = Some("zocalo".to_owned())), vec![bare.id]),
        (of(|filter| filter.text = Some("papel".to_owned())), vec![cheap.id, dear.id, received.id]),
        (of(|filter| filter.external_id = Some("x-1".to_owned())), vec![bare.id]),
        (of(|filter| filter.updated_since = Some(at(60))), vec![]),
        (of(|filter| filter.updated_since = Some(at(0))), all.clone()),
        (of(|filter| filter.from = Some(date!(2025 - 03 - 02))), vec![]),
        (of(|filter| filter.to = Some(date!(2025 - 03 - 01))), all.clone()),
    ];
    for (filter, mut wanted) in cases {
        let mut found = buyer.listed(&filter, PurchaseSort::UpdatedAt, Direction::Ascending).await;
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "{filter:?}");
    }
    let order = async |sort, direction| buyer.listed(&plain, sort, direction).await;
    let by_total = order(PurchaseSort::Total, Direction::Descending).await;
    assert_eq!(by_total, [dear.id, received.id, cheap.id, bare.id]);
    let by_number = order(PurchaseSort::RegisterNumber, Direction::Descending).await;
    assert_eq!(by_number.get(..2), Some([dear.id, cheap.id].as_slice()));
    assert_eq!(order(PurchaseSort::IssueDate, Direction::Ascending).await.len(), 4);
    assert_eq!(order(PurchaseSort::DueDate, Direction::Ascending).await.len(), 4);
}

/// Of more than a lead may find, it finds what is due first: by amount, by number and by contact.
pub async fn a_lead_finds_what_is_due_first(storage: Storage) {
    let buyer = Buyer::new(storage).await;
    let mut approved = Vec::new();
    for (number, due_date) in [("D-1", "2025-06-01"), ("D 1", "2025-04-01"), ("D/1", "2025-05-01")] {
        let line = json!({"description": "Papel", "unitPrice": "10.00"});
        let body = json!({"docType": "invoice", "supplierId": buyer.supplier.id, "number": number,
            "dueDate": due_date, "lines": [line]});
        approved.push(buyer.approve(buyer.receive(&body).await.id).await);
    }
    let [late, first, _] = approved.as_slice() else { unreachable!("three are approved") };
    let of = due::leads(&DueDocument { due_date: Some(date!(2025 - 05 - 01)), ..led_to(late) }, true);
    for (leads, _) in of.into_iter().filter(|(_, is_led_to)| *is_led_to) {
        let documents = buyer.shop.storage.supplier_documents();
        let near = leads.near.iter().all(|day| day.year() == 2025);
        let found = documents.due(late.company, &leads, 1).await.expect("find");
        let found: Vec<_> = found.iter().map(|found| found.document).collect();
        // The one that is due near the middle one is found beside.
        assert!(found.contains(&first.id), "{leads:?} {found:?}");
        assert_eq!(found.len(), if near { 2 } else { 1 }, "{leads:?}");
    }
}

/// What waits for approval is counted by the day on which it is to be booked: of its plan, or else of its reception.
pub async fn what_waits_is_counted_by_the_day_of_its_booking(storage: Storage) {
    let buyer = Buyer::new(storage).await;
    let received = |number: &str, accounting: Option<&str>| {
        let line = json!({"description": "Papel", "unitPrice": "10.00"});
        json!({"docType": "invoice", "supplierId": buyer.supplier.id, "number": number, "issueDate": "2024-11-30",
            "receivedDate": "2025-01-15", "accountingDate": accounting, "lines": [line]})
    };
    buyer.receive(&received("E-1", None)).await;
    buyer.receive(&received("E-2", Some("2025-02-01"))).await;
    buyer.approve(buyer.receive(&received("E-3", None)).await.id).await;
    for (from, to, expected) in [
        (date!(2024 - 11 - 01), date!(2024 - 12 - 31), 0),
        (date!(2025 - 01 - 15), date!(2025 - 01 - 15), 1),
        (date!(2025 - 01 - 16), date!(2025 - 01 - 31), 0),
        (date!(2025 - 01 - 01), date!(2025 - 03 - 31), 2),
    ] {
        let span = Span::new(from, to).expect("in order");
        let documents = buyer.shop.storage.supplier_documents();
        let waiting = documents.received_in(buyer.shop.company.id, span).await.expect("count");
        assert_eq!(waiting, expected, "{from} to {to}");
    }
}

/// Approved documents are numbered by year without a gap, and neither a number nor a document is taken twice.
pub async fn documents_are_registered_once(storage: Storage) {
    let buyer = Buyer::new(storage).await;
    let first = buyer.approve(buyer.invoice("C-1", "1.00").await.id).await;
    let second = buyer.approve(buyer.invoice("C-2", "1.00").await.id).await;
    let documents = buyer.shop.storage.supplier_documents();
    let company = buyer.shop.company.id;
    assert_eq!(documents.register(company, 2025).await.expect("read").last, 2);
    assert_eq!(documents.register(company, 2024).await.expect("read").last, 0);
    let key = first.duplicate_key().expect("a key");
    assert_eq!(documents.with_key(company, &key).await.expect("read"), Some(first.id));
    let waiting = buyer.invoice("C-3", "1.00").await;
    let other = SupplierDocument { id: id(99), ..waiting };
    let outcome =
        attempt!(buyer.shop.storage, |unit| unit.supplier_documents().insert(&everything(), &other));
    assert_taken(&outcome, "supplierNumber");
    let other = SupplierDocument { id: id(99), shares_number: true, ..second };
    let outcome =
        attempt!(buyer.shop.storage, |unit| unit.supplier_documents().insert(&everything(), &other));
    assert_taken(&outcome, "registerNumber");
}
