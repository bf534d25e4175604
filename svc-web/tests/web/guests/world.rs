//! A data room that Ana fills by the API, and the guests whom she lets in by the pages.

use axum::body::Body;
use http::Request;
use serde_json::{Value, json};
use svc_business::document::room::{DataRoomGrant, DataRoomGrantFilter};
use svc_core::page::{PageRules, Sort};
use svc_testkit::business::envelopes::key;
use svc_testkit::business::sample;

use crate::app::{Browser, TestArea};
use crate::page::Page;

pub(crate) struct Room {
    pub(crate) area: TestArea,
    pub(crate) ana: Browser,
    token: String,
}

impl Room {
    pub(crate) async fn new() -> Self {
        let area = TestArea::new().await;
        let ana = area.signed_in("ana").await;
        let page = ana.get(&format!("{}/tokens/new", area.company())).await;
        let form = page.form("/tokens/new").with("name", "Everything").with("all", "full");
        let page = ana.submit(&form.with("step", "review")).await;
        let page = ana.submit(&page.form("/tokens/new").with("step", "create")).await;
        let token = page.value("value");
        Self { area, ana, token }
    }

    /// Adds a file that is uploaded along; what `said` has is other than usual. Answers the id of the entry.
    pub(crate) async fn add(&self, said: Value, content: &[u8]) -> String {
        let mut all = json!({"section": "1 Corporate", "file": {"name": "Statutes.pdf", "containsPersonalData": false}});
        for (name, value) in said.as_object().unwrap() {
            all[name] = value.clone();
        }
        let head = format!(
            "--b\r\ncontent-disposition: form-data; name=\"properties\"\r\n\r\n{all}\r\n--b\r\ncontent-disposition: form-data; \
             name=\"file\"; filename=\"x\"\r\n\r\n"
        );
        let body = [head.as_bytes(), content, b"\r\n--b--\r\n"].concat();
        let made = self.call("POST", "/data-room/files", "multipart/form-data; boundary=b", body).await;
        made["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        self.call("GET", path, "application/json", Vec::new()).await
    }

    pub(crate) async fn remove(&self, entry: &str) {
        self.call("DELETE", &format!("/data-room/files/{entry}"), "application/json", Vec::new()).await;
    }

    async fn call(&self, method: &str, path: &str, media: &str, body: Vec<u8>) -> Value {
        let request =
            Request::builder().method(method).uri(format!("/api/v1{path}")).header("host", "localhost");
        let request = request.header("authorization", format!("Bearer {}", self.token));
        let request = request.header("content-type", media).body(Body::from(body)).unwrap();
        let (status, answer) = self.browser().raw(request).await;
        let text = String::from_utf8(answer).unwrap();
        assert!((200..300).contains(&status), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(crate) fn browser(&self) -> Browser {
        self.area.browser()
    }

    pub(crate) fn path(&self, below: &str) -> String {
        format!("{}/data-room{below}", self.area.company())
    }

    /// A day so many days from now, as a field of a form has it.
    pub(crate) fn day(&self, days: u64) -> String {
        use svc_core::clock::Clock as _;
        let at = self.area.clock.now().plus(std::time::Duration::from_hours(24 * days));
        at.to_string()[..10].to_owned()
    }

    /// Lets a guest in by the page; answers the page that follows.
    pub(crate) async fn let_in(&self, fields: &[(&str, &str)]) -> Page {
        let form = self.ana.get(&self.path("/new")).await.form("/data-room/new");
        let day = self.day(10);
        let usual = [("email", "guest@buyer.example"), ("sections", "1 Corporate"), ("lastDay", &day)];
        let form = usual.iter().chain(fields).fold(form, |form, (name, value)| form.with(name, value));
        self.ana.submit(&form).await
    }

    /// The grant that was made last.
    pub(crate) async fn grant(&self) -> DataRoomGrant {
        let filter = DataRoomGrantFilter { companies: vec![self.area.acme] };
        let whole = PageRules::USUAL.page(None, None).unwrap();
        let business = self.area.database.business();
        let page = business.data_room_grants().page(&sample::everything(), &filter, &Sort(None), whole).await;
        page.unwrap().items.pop().unwrap()
    }

    /// The path of its link.
    pub(crate) async fn link(&self) -> String {
        let grant = self.grant().await;
        format!("/room/{}", grant.access.link(&key(), grant.id).unwrap().as_str())
    }

    /// The code that was sent last.
    pub(crate) async fn code(&self) -> String {
        let grant = self.grant().await;
        grant.codes.last.unwrap().text(&key(), grant.id).unwrap().as_str().to_owned()
    }

    /// A guest's browser that has proved a code, and the link.
    pub(crate) async fn inside(&self) -> (Browser, String) {
        let (guest, link) = (self.browser(), self.link().await);
        let page = guest.submit(&guest.get(&link).await.form("/code")).await;
        let typed = code_form(&page).with("code", &self.code().await);
        guest.submit(&typed).await.is(200).says("Documents");
        (guest, link)
    }
}

/// The form in which a code is typed.
#[track_caller]
pub(crate) fn code_form(page: &Page) -> crate::page::Form {
    let forms = page.forms().into_iter().filter(|form| form.action.ends_with("/code"));
    let mut typed = forms.filter(|form| form.fields.iter().any(|(name, _)| name == "code"));
    typed.next().unwrap_or_else(|| panic!("no field for a code on {}", page.text()))
}

/// The form that asks for a code.
#[track_caller]
pub(crate) fn request_form(page: &Page) -> crate::page::Form {
    let forms = page.forms().into_iter().filter(|form| form.action.ends_with("/code"));
    let mut asking = forms.filter(|form| form.fields.iter().all(|(name, _)| name != "code"));
    asking.next().unwrap_or_else(|| panic!("nothing asks for a code on {}", page.text()))
}
