//! A company that can issue invoices, and a customer of it. Today is 2025-03-01.

use serde_json::{Value, json};
use svc_business::founding;
use svc_core::audit::Actor;
use svc_core::pii::PiiAccess;
use svc_core::unit::CallContext;
use svc_testkit::business::sample;
use svc_testkit::fakes::SeededRandom;

use crate::test_app::{Client, TestApp, Want};

pub(crate) struct Office {
    pub(crate) app: TestApp,
    pub(crate) client: Client,
    pub(crate) customer: String,
}

impl Office {
    pub(crate) async fn new(want: Want<'_>) -> Self {
        Self::of(TestApp::new().await, want).await
    }

    /// The office of an app's first company.
    pub(crate) async fn of(app: TestApp, want: Want<'_>) -> Self {
        let (scope, business) = (sample::everything(), app.database.business());
        let mut company = business.accounts().find(&scope, app.ours).await.unwrap().unwrap();
        let (actor, random) = (Actor::service("test"), SeededRandom::new(3));
        let now = sample::at(0);
        let call =
            CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random: &random };
        let unit = business.begin().await.unwrap();
        founding::begin(unit.as_ref(), call, &company).await.unwrap();
        let before = company.clone();
        let known = sample::account(1);
        (company.tax_id, company.address) = (known.tax_id, known.address);
        company.version = before.version.next();
        unit.accounts().replace(&scope, &before, &company).await.unwrap();
        unit.commit().await.unwrap();
        let client = app.client(want).await;
        let address =
            json!({"line1": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013", "country": "ES"});
        let customer = json!({"kind": "organization", "legalName": "Ferretería Sol SL", "taxId": "B12345674",
            "address": address, "paymentTermDays": 30});
        let customer = client.post("/contacts", &customer).await.ok(201).id();
        Self { app, client, customer }
    }

    /// A draft of an invoice.
    pub(crate) async fn draft(&self, lines: &[Value]) -> Value {
        let body = json!({"docType": "invoice", "contactId": self.customer, "lines": lines});
        self.client.post("/billing", &body).await.ok(201).json
    }

    pub(crate) async fn issue(&self, draft: &Value) -> Value {
        self.client.post(&format!("{}/issue", Self::path(draft)), &json!({})).await.ok(200).json
    }

    /// An issued invoice.
    pub(crate) async fn issued(&self, lines: &[Value]) -> Value {
        let body = json!({"docType": "invoice", "contactId": self.customer, "lines": lines, "issue": true});
        self.client.post("/billing", &body).await.ok(201).json
    }

    pub(crate) fn path(document: &Value) -> String {
        format!("/billing/{}", document["id"].as_str().unwrap())
    }

    pub(crate) fn books(&self, under: &str) -> String {
        format!("/books/{}{under}", self.app.ours)
    }

    pub(crate) async fn entry(&self, id: &Value) -> Value {
        let path = self.books(&format!("/journal-entries/{}", id.as_str().unwrap()));
        self.client.get(&path).await.ok(200).json
    }

    pub(crate) async fn balance(&self, code: &str) -> String {
        let path = self.books(&format!("/accounts?prefix={code}&limit=1"));
        self.client.get(&path).await.ok(200).json["items"][0]["balance"].as_str().unwrap().to_owned()
    }

    /// The events of sales, in their order.
    pub(crate) async fn sales_events(&self) -> Vec<String> {
        self.events("invoice.").await
    }

    /// The events whose types begin with this, in their order.
    pub(crate) async fn events(&self, prefix: &str) -> Vec<String> {
        let kinds = self.app.events().await.into_iter().map(|event| event.kind.name().to_owned());
        kinds.filter(|kind| kind.starts_with(prefix)).collect()
    }
}
