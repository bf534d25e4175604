//! Sales: documents kept whole in every state, found by every filter, numbered once and chained without a gap.

use serde_json::{Value, json};
use svc_business::invoicing::DueDocument;
use svc_business::record::{self, Home};
use svc_business::sales::document::{Means, PaymentStatus, SalesDocument, State};
use svc_business::sales::input::{ConvertRequest, IssueRequest, PaymentRequest, RectifyRequest, VoidRequest};
use svc_business::sales::operations::{self, SalesRefused};
use svc_business::sales::series::{LastIssued, Series};
use svc_business::sales::verifactu::verify_chain;
use svc_business::sales::{HistoryKind, Outline, SalesFilter, SalesSort, SeriesFilter, SeriesSort};
use svc_core::id::SalesDocumentId;
use svc_core::page::{Direction, PageRules, Sort};
use svc_core::refused::Refused;
use svc_core::resource::{Expected, ResourceReader, Version};
use time::macros::date;

use super::shop::Shop;
use super::{Storage, assert_taken, attempt, due, whole};
use crate::business::sample::{at, everything, id, scope};

impl Shop {
    pub(super) async fn write(&self, body: &Value) -> SalesDocument {
        let input = serde_json::from_value(body.clone()).expect("a patch");
        let written = self
            .within(async |unit, call| {
                let home: Home<'_, _> = record::home::<SalesDocument>(unit, call, self.company.id)
                    .await
                    .map_err(Refused::widen)?;
                operations::create(&home, input).await
            })
            .await;
        written.unwrap_or_else(|refused| panic!("{body}: {refused}"))
    }

    /// An invoice of one line at this price.
    pub(super) async fn invoice(&self, price: &str, issue: bool) -> SalesDocument {
        self.write(&json!({"docType": "invoice", "contactId": self.customer, "issue": issue,
            "lines": [{"description": "Trabajo", "unitPrice": price}]}))
            .await
    }

    pub(super) async fn with<T>(
        &self,
        id: SalesDocumentId,
        beside: &[SalesDocumentId],
        work: impl AsyncFnOnce(record::Opened<'_, SalesDocument>) -> Result<T, Refused<SalesRefused>>,
    ) -> T {
        let done = self
            .within(async |unit, call| {
                let opened = record::alone::<SalesDocument>(unit, call, id, beside, &Expected::Any)
                    .await
                    .map_err(Refused::widen)?;
                work(opened).await
            })
            .await;
        done.unwrap_or_else(|refused| panic!("{id}: {refused}"))
    }

    async fn issue(&self, id: SalesDocumentId) -> SalesDocument {
        self.with(id, &[], async |opened| operations::issue(opened, IssueRequest::default()).await).await
    }

    /// A draft of an invoice that is made of a quote.
    pub(super) async fn invoice_of(&self, quote: SalesDocumentId) -> SalesDocument {
        let how: ConvertRequest = serde_json::from_value(json!({"docType": "invoice"})).expect("a request");
        self.with(quote, &[], async |opened| operations::convert(opened, how).await).await
    }

    async fn rectify(&self, id: SalesDocumentId, how: Value) -> SalesDocument {
        let how: RectifyRequest = serde_json::from_value(how).expect("a request");
        let draft = self.with(id, &[], async |opened| operations::rectify(opened, &how).await).await;
        self.issue(draft.id).await
    }

    async fn pay(&self, id: SalesDocumentId, payment: Value) -> SalesDocument {
        let request: PaymentRequest = serde_json::from_value(payment).expect("a request");
        let beside: Vec<_> = request.offset_document.into_iter().collect();
        self.with(id, &beside, async |opened| operations::pay(opened, &request).await).await.document
    }

    pub(super) async fn find(&self, id: SalesDocumentId) -> Option<SalesDocument> {
        ResourceReader::<SalesDocument>::find(self.storage.sales(), &everything(), id).await.expect("find")
    }

    /// Holds that what is kept is this, whole and in outline, and that its payments of money lead to it.
    async fn is_kept(&self, document: &SalesDocument) {
        assert_eq!(self.find(document.id).await.as_ref(), Some(document));
        let payments = document.issue_data().map_or(&[][..], |issue| issue.settlement.payments());
        for payment in payments {
            let found = self.storage.sales().of_payment(document.company, payment.id).await.expect("find");
            let is_money = matches!(payment.means, Means::Money { .. });
            assert_eq!(found, is_money.then_some(document.id));
            let (unmatched, leads) = due::payment_leads(payment);
            for (leads, expected) in leads {
                let found =
                    self.storage.sales().unmatched(document.company, &leads, 100).await.expect("find");
                assert_eq!(found.contains(&unmatched), expected, "{leads:?}");
            }
        }
        let issue = document.issue_data();
        let led_to = DueDocument {
            document: document.id,
            number: issue.map(|issue| issue.number.to_string()),
            contact: document.contact,
            name: issue.and_then(|issue| issue.customer.as_ref()).map(|customer| customer.name.clone()),
            due: document.due(),
            due_date: document.due_date(),
            issued: document.issue_date().unwrap_or(date!(2025 - 01 - 01)),
        };
        let is_due = document.state() == State::Issued && document.is_fiscal() && document.due().minor() != 0;
        for (leads, expected) in due::leads(&led_to, is_due) {
            let found = self.storage.sales().due(document.company, &leads, 100).await.expect("find");
            let found = found.iter().find(|found| found.document == document.id);
            assert_eq!(found, expected.then_some(&led_to), "{leads:?}");
        }
        let outline = ResourceReader::<Outline>::find(self.storage.sales(), &everything(), document.id).await;
        assert_eq!(outline.expect("find"), Some(document.outline()));
    }

    async fn listed(
        &self,
        filter: &SalesFilter,
        sort: SalesSort,
        direction: Direction,
    ) -> Vec<SalesDocumentId> {
        let (sales, sort) = (self.storage.sales(), Sort(Some((sort, direction))));
        let page = ResourceReader::<Outline>::page(sales, &everything(), filter, &sort, whole()).await;
        let page = page.expect("a page");
        assert_eq!(page.total, u64::try_from(page.items.len()).expect("few"), "{filter:?}");
        let same = ResourceReader::<SalesDocument>::page(sales, &everything(), filter, &sort, whole()).await;
        let same: Vec<_> = same.expect("a page").items.iter().map(SalesDocument::outline).collect();
        assert_eq!(same, page.items, "{filter:?}");
        page.items.into_iter().map(|outline| outline.id).collect()
    }
}

/// A document comes back as it was written, in each state.
pub async fn a_sales_document_comes_back_whole(storage: Storage) {
    let shop = Shop::new(storage).await;
    let draft = shop
        .write(&json!({"docType": "invoice", "contactId": shop.customer, "currency": "USD", "fxRate": "0.9",
            "issueDate": "2025-02-28", "operationDate": "2025-02-20", "dueDate": "2025-05-01", "notes": "Gracias",
            "internalNotes": "Ojo", "reference": "PO-1", "paymentMethod": "transfer", "tags": ["a", "b"],
            "iban": "ES9121000418450200051332", "externalId": "x-1", "metadata": {"k": "v"},
            "discount": {"type": "amount", "value": "1.00"}, "lines": [
                {"description": "Uno", "quantity": "2", "unit": "HUR", "unitPrice": "9.99", "discountPercent": "5",
                 "withholdingRate": "15", "accountCode": "7050000", "tags": {"obra": "tejado"}},
                {"description": "Dos", "unitPrice": "10", "taxCode": "es_exempt", "exemptionCode": "E1", "itemType": "good"},
            ]}))
        .await;
    shop.is_kept(&draft).await;
    let issued = shop.issue(draft.id).await;
    assert_eq!(issued.state(), State::Issued);
    shop.is_kept(&issued).await;
    let invoice = shop.invoice("100.00", true).await;
    let cash = json!({"amount": "21.00", "date": "2025-03-01", "method": "cash", "reference": "R-1"});
    shop.is_kept(&shop.pay(invoice.id, cash).await).await;
    let how = json!({"method": "substitution", "reasonCode": "R1", "reason": "Precio", "full": true});
    let substitute = shop.rectify(invoice.id, how).await;
    shop.is_kept(&substitute).await;
    let replaced = shop.find(invoice.id).await.expect("kept");
    assert_eq!(replaced.payment_status(), PaymentStatus::Paid);
    shop.is_kept(&replaced).await;
    let other = shop.invoice("50.00", true).await;
    let how = json!({"method": "differences", "reasonCode": "R1", "reason": "Vuelta", "lines": [
        {"description": "Vuelta", "quantity": "-1", "unitPrice": "10.00"}]});
    let credit = shop.rectify(other.id, how).await;
    shop.is_kept(&credit).await;
    let offset =
        json!({"amount": "12.10", "date": "2025-03-01", "method": "offset", "offsetDocumentId": credit.id});
    shop.is_kept(&shop.pay(other.id, offset).await).await;
    let voided = shop.invoice("1.00", true).await;
    let reason = VoidRequest { reason: "Error".to_owned() };
    let voided = shop.with(voided.id, &[], async |opened| operations::void(opened, &reason).await).await;
    assert_eq!(voided.state(), State::Voided);
    shop.is_kept(&voided).await;
    let quote = shop
        .write(&json!({"docType": "quote", "contactId": shop.customer, "issue": true,
            "lines": [{"description": "Obra", "unitPrice": "5.00"}]}))
        .await;
    shop.is_kept(&shop.with(quote.id, &[], operations::accept).await).await;
}

/// A draft is erased with its history, and a copy of a document tells where it is from.
pub async fn a_draft_is_erased_with_its_history(storage: Storage) {
    let shop = Shop::new(storage).await;
    let draft = shop.invoice("1.00", false).await;
    let copy = shop.with(draft.id, &[], operations::duplicate).await;
    let derived = shop.storage.sales().derived(&draft, 10).await.expect("read");
    assert_eq!(derived, [copy.id]);
    let request = PageRules::USUAL.page(None, Some(1)).expect("a page");
    let history = shop.storage.sales().history(&everything(), draft.id, request).await.expect("read");
    let history = history.expect("a history");
    let kinds: Vec<_> = history.items.iter().map(|entry| entry.kind).collect();
    assert_eq!((history.total, kinds), (1, vec![HistoryKind::Created]));
    let other = scope(&[id(9)]);
    assert_eq!(shop.storage.sales().history(&other, draft.id, request).await.expect("read"), None);
    shop.with(draft.id, &[], operations::delete).await;
    assert_eq!(shop.find(draft.id).await, None);
    assert_eq!(shop.storage.sales().history(&everything(), draft.id, request).await.expect("read"), None);
}

/// Lists are narrowed by every filter and come in the order asked for, whole and in outline alike.
pub async fn every_filter_narrows_a_list_of_sales_documents(storage: Storage) {
    let shop = Shop::new(storage).await;
    let (cheap, dear) = (shop.invoice("10.00", true).await, shop.invoice("900.00", true).await);
    let draft = shop.invoice("50.00", false).await;
    let quote = shop
        .write(&json!({"docType": "quote", "contactId": shop.customer, "issue": true, "externalId": "x-1",
            "currency": "USD", "fxRate": "0.9", "lines": [{"description": "Zócalo", "unitPrice": "5.00"}]}))
        .await;
    let paid = shop.pay(cheap.id, json!({"amount": "12.10", "date": "2025-03-01", "method": "cash"})).await;
    let plain = SalesFilter { companies: vec![shop.company.id], ..SalesFilter::default() };
    let of = |narrow: fn(&mut SalesFilter)| {
        let mut filter = plain.clone();
        narrow(&mut filter);
        filter
    };
    let number = dear.issue_data().map(|issue| issue.number.to_string());
    let series = dear.series();
    let cases = [
        (plain.clone(), vec![cheap.id, dear.id, draft.id, quote.id]),
        (of(|filter| filter.state = Some(State::Issued)), vec![cheap.id, dear.id, quote.id]),
        (of(|filter| filter.state = Some(State::Draft)), vec![draft.id]),
        (of(|filter| filter.payment_status = Some(PaymentStatus::Paid)), vec![paid.id]),
        (of(|filter| filter.payment_status = Some(PaymentStatus::Unpaid)), vec![dear.id]),
        (of(|filter| filter.overdue = Some(date!(2030 - 01 - 01))), vec![dear.id]),
        (of(|filter| filter.doc_type = Some("quote".parse().expect("a type"))), vec![quote.id]),
        (
            SalesFilter { contact: Some(shop.customer), ..plain.clone() },
            vec![cheap.id, dear.id, draft.id, quote.id],
        ),
        (SalesFilter { series, ..plain.clone() }, vec![cheap.id, dear.id]),
        (SalesFilter { number, ..plain.clone() }, vec![dear.id]),
        (of(|filter| filter.currency = Some("USD".parse().expect("a currency"))), vec![quote.id]),
        (of(|filter| filter.min_total = Some("1000".parse().expect("a total"))), vec![dear.id]),
        (of(|filter| filter.max_total = Some("12.10".parse().expect("a total"))), vec![cheap.id, quote.id]),
        (of(|filter| filter.text = Some("zocalo".to_owned())), vec![quote.id]),
        (of(|filter| filter.external_id = Some("x-1".to_owned())), vec![quote.id]),
        (of(|filter| filter.updated_since = Some(at(60))), vec![]),
        (of(|filter| filter.updated_since = Some(at(0))), vec![cheap.id, dear.id, draft.id, quote.id]),
        (of(|filter| filter.from = Some(date!(2025 - 03 - 02))), vec![]),
        (of(|filter| filter.to = Some(date!(2025 - 03 - 01))), vec![cheap.id, dear.id, draft.id, quote.id]),
    ];
    for (filter, mut wanted) in cases {
        let mut found = shop.listed(&filter, SalesSort::UpdatedAt, Direction::Ascending).await;
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "{filter:?}");
    }
    let order = async |sort, direction| shop.listed(&plain, sort, direction).await;
    let by_total = order(SalesSort::Total, Direction::Descending).await;
    assert_eq!(by_total, [dear.id, draft.id, cheap.id, quote.id]);
    let by_number = order(SalesSort::Number, Direction::Ascending).await;
    assert_eq!(by_number, [draft.id, cheap.id, dear.id, quote.id]);
    let by_date = order(SalesSort::IssueDate, Direction::Ascending).await;
    assert_eq!(by_date, by_number);
    assert_eq!(order(SalesSort::DueDate, Direction::Ascending).await.last(), Some(&draft.id));
}

/// Numbers are given once, records of the tax office stand in one chain, and a series remembers its last number.
pub async fn numbers_are_given_once_and_records_are_chained(storage: Storage) {
    let shop = Shop::new(storage).await;
    let first = shop.invoice("1.00", true).await;
    shop.invoice("2.00", true).await;
    let reason = VoidRequest { reason: "Error".to_owned() };
    shop.with(first.id, &[], async |opened| operations::void(opened, &reason).await).await;
    let sales = shop.storage.sales();
    let mut records = sales.chain_after(shop.company.id, 0, 100).await.expect("read");
    let head = sales.chain_head(shop.company.id).await.expect("read").expect("a head");
    assert_eq!((records.len(), head.place), (3, 3));
    assert_eq!(verify_chain(None, &records), Ok(Some(head.hash)));
    assert_eq!(sales.chain_after(shop.company.id, 2, 100).await.expect("read"), records.split_off(2));
    let series = shop.storage.series().of_company(shop.company.id).await.expect("read");
    let last = LastIssued { date: date!(2025 - 03 - 01), sequence: 2 };
    let invoices: &Series = series.iter().find(|series| Some(series.id) == first.series()).expect("kept");
    assert_eq!((invoices.last, invoices.version), (Some(last), Version::FIRST));
    let filter = SeriesFilter { companies: vec![shop.company.id], active: Some(true) };
    let sort = Sort(Some((SeriesSort::Code, Direction::Ascending)));
    let page = shop.storage.series().page(&everything(), &filter, &sort, whole()).await.expect("a page");
    let codes: Vec<_> = page.items.iter().map(|series| series.code.to_string()).collect();
    assert_eq!(codes, ["F", "P", "Q", "R", "S"]);
    let quote = shop
        .write(&json!({"docType": "quote", "contactId": shop.customer, "issue": true,
            "lines": [{"description": "Obra", "unitPrice": "5.00"}]}))
        .await;
    let twice = SalesDocument { id: id(99), ..quote };
    let outcome = attempt!(shop.storage, |unit| unit.sales().insert(&everything(), &twice));
    assert_taken(&outcome, "number");
    let series = Series { id: id(98), last: None, ..invoices.clone() };
    let outcome = attempt!(shop.storage, |unit| unit.series().insert(&everything(), &series));
    assert_taken(&outcome, "seriesCode");
}
