//! The verification of the audit log, from its page.

use std::sync::Arc;

use async_trait::async_trait;
use svc_core::audit::{AuditReader, Filter, Head, Record, Unreadable};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;

use crate::app::TestArea;
use crate::journeys::made_token;

/// A log as it reads after its rows were tampered with.
struct Tampered {
    log: Arc<dyn AuditReader>,
    how: fn(Vec<Record>) -> Vec<Record>,
    /// Whether the memory of the newest record is gone too.
    headless: bool,
}

#[async_trait]
impl AuditReader for Tampered {
    async fn page(&self, scope: &Scope, of: &Filter, page: PageRequest) -> Result<Page<Record>, StoreError> {
        self.log.page(scope, of, page).await
    }

    async fn records(
        &self,
        account: AccountId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Result<Record, Unreadable>>, StoreError> {
        let all = self.log.records(account, 0, u32::MAX).await?;
        let changed = (self.how)(all.into_iter().map(|record| record.unwrap()).collect());
        let later = changed.into_iter().filter(|record| record.number > after);
        Ok(later.take(usize::try_from(limit).unwrap()).map(Ok).collect())
    }

    async fn companies(&self) -> Result<Vec<Result<AccountId, Unreadable>>, StoreError> {
        self.log.companies().await
    }

    async fn head(&self, account: AccountId) -> Result<Option<Result<Head, Unreadable>>, StoreError> {
        if self.headless { Ok(None) } else { self.log.head(account).await }
    }
}

impl TestArea {
    /// What the verification of this company says once its log was changed so.
    async fn verified(how: fn(Vec<Record>) -> Vec<Record>, headless: bool, language: &'static str) -> String {
        let area = Self::new().await;
        let log = area.database.audit();
        let area = area.reading(Arc::new(Tampered { log, how, headless }));
        let (mut ana, company) = (area.signed_in("ana").await, area.company());
        made_token(&ana, &company, "Shop").await.is(200);
        ana.language = language;
        let page = ana.get(&format!("{company}/audit-log/verification")).await;
        ana.submit(&page.is(200).form("/audit-log/verification")).await.is(200).text()
    }
}

#[tokio::test]
async fn a_log_that_was_not_touched_is_whole_and_says_from_where_to_where() {
    let area = TestArea::new().await;
    let (ana, company) = (area.signed_in("ana").await, area.company());
    made_token(&ana, &company, "Shop").await.is(200);
    let list = ana.get(&format!("{company}/audit-log")).await;
    let link = list.links().into_iter().find(|link| link.ends_with("/audit-log/verification")).unwrap();
    let page = ana.get(&link).await;
    page.is(200).says("A hundred thousand entries");
    let newest = ana.get(&format!("{company}/audit-log?action=token.create")).await;
    let number = newest.html.split("<td class=\"number\">").nth(1).unwrap().split('<').next().unwrap();
    let told = ana.submit(&page.form("/audit-log/verification")).await;
    told.is(200).says("The log is whole").says(&format!("Entries 1 to {number} are unbroken"));
    let head = area.database.audit().head(area.acme).await.unwrap().unwrap().unwrap();
    told.says(&head.seal.to_string());

    // From the middle on, as after a first part.
    let middle = &area.database.audit().records(area.acme, 1, 1).await.unwrap()[0];
    let seal = middle.as_ref().unwrap().seal;
    let form = page.form("/audit-log/verification");
    let mark = |seal: &str| form.clone().with("after", &format!("{}=2:{seal}", area.acme));
    ana.submit(&mark(&seal.to_string())).await.says(&format!("Entries 3 to {number} are unbroken"));
    ana.submit(&mark(&"0".repeat(64))).await.says("The log is broken").says("Entry 2 does not fit");
    // What is no mark, or one of another company, begins anew.
    for text in ["", "2", "\u{0}", &format!("{}=2:{seal}", area.beta)] {
        let told = ana.submit(&form.clone().with("after", text)).await;
        told.is(200).says(&format!("Entries 1 to {number} are unbroken"));
    }
}

#[tokio::test]
async fn where_a_log_breaks_is_told_by_its_entry() {
    let changed = |mut log: Vec<Record>| {
        log[1].entry.subject.push('x');
        log
    };
    let told = TestArea::verified(changed, false, "en").await;
    assert!(told.contains("Entry 2 does not fit") && told.contains("Entries 1 to 1 are unbroken"), "{told}");
    let told = TestArea::verified(changed, false, "es").await;
    assert!(told.contains("La entrada 2 no encaja") && told.contains("El registro está roto"), "{told}");
    let removed = |mut log: Vec<Record>| {
        log.remove(1);
        log
    };
    let told = TestArea::verified(removed, false, "en").await;
    assert!(told.contains("Entry 2 is missing") && told.contains("keep a copy of the database"), "{told}");
    let told = TestArea::verified(|log| log, true, "en").await;
    assert!(told.contains("What the service remembers of the newest entry is gone"), "{told}");
    let told = TestArea::verified(|_| Vec::new(), true, "en").await;
    assert!(told.contains("The whole log is gone") && told.contains("No entry before"), "{told}");
}
