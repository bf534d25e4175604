//! A new token as its form has it.

use std::sync::Arc;

use svc_auth::token::{CreateRequest, Policy};
use svc_business::group::Group;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId};
use svc_core::page::{PageRules, Sort};
use svc_core::permission::{Grants, PermissionCatalogue};
use svc_http::visit::Form;

use super::permissions::Picker;
use crate::errors::Errors;
use crate::gate::{Developer, Seen};
use crate::life::{self, Life};

/// The fields of the form, as they were filled in.
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) picker: Picker,
    /// One of the lengths of life in days, `date`, or `never`.
    pub(super) expiry: String,
    pub(super) expiry_date: String,
    pub(super) allowed_ips: String,
    pub(super) present_ip: bool,
    pub(super) personal_data: bool,
    pub(super) companies: Vec<Choice<AccountId>>,
    pub(super) groups: Vec<Choice<GroupId>>,
}

/// Something that can be ticked.
pub(super) struct Choice<T> {
    pub(super) id: T,
    pub(super) name: String,
    pub(super) ticked: bool,
}

impl Draft {
    /// An empty form.
    pub(super) async fn new(seen: &Seen<Developer>) -> Result<Self, StoreError> {
        let mut draft = Self::read(seen, &Form::default()).await?;
        life::USUAL.clone_into(&mut draft.expiry);
        Ok(draft)
    }

    /// The form that was sent.
    pub(super) async fn read(seen: &Seen<Developer>, form: &Form) -> Result<Self, StoreError> {
        let named = |field: &str, id: &dyn std::fmt::Display| {
            let id = id.to_string();
            form.all(field).contains(&id)
        };
        let company = |(id, name): (AccountId, String)| Choice { ticked: named("company", &id), id, name };
        let group =
            |group: Group| Choice { ticked: named("group", &group.id), id: group.id, name: group.name };
        Ok(Self {
            name: form.text("name").to_owned(),
            picker: Picker::from_form(form, catalogue(seen), seen.language),
            expiry: form.text("expiry").to_owned(),
            expiry_date: form.text("expiry-date").to_owned(),
            allowed_ips: form.raw("allowed-ips").trim().to_owned(),
            present_ip: form.has("present-ip"),
            personal_data: form.has("personal-data"),
            companies: others(seen).into_iter().map(company).collect(),
            groups: groups(seen).await?.into_iter().map(group).collect(),
        })
    }

    /// What is asked for; what cannot be read is among the errors.
    pub(super) fn request(&self, seen: &Seen<Developer>, errors: &mut Errors) -> CreateRequest {
        let mut allowed_ips: Vec<String> = lines(&self.allowed_ips).map(str::to_owned).collect();
        if self.present_ip
            && let Some(address) = seen.visit.from()
        {
            allowed_ips.push(address.to_canonical().to_string());
        }
        let expires_at = self.expires_at(seen.visit.now()).unwrap_or_else(|NoDate| {
            errors.add("expiresAt", seen.texts().tokens.no_date);
            None
        });
        CreateRequest {
            name: self.name.clone(),
            permissions: self.picker.written(),
            personal_data: self.personal_data,
            allowed_ips,
            expires_at,
            primary: seen.at().company.id,
            companies: ticked(&self.companies).collect(),
            groups: ticked(&self.groups).collect(),
            creator: Some(seen.at().visitor.signed_in().person().id),
        }
    }

    /// The grants that the form stands for; none while it names none.
    pub(super) fn grants(&self, catalogue: &PermissionCatalogue) -> Grants {
        catalogue.grants(self.picker.written()).unwrap_or(Grants::none())
    }

    /// The lengths of life that the operator allows, `date` and `never` among them.
    pub(super) fn lives(&self, seen: &Seen<Developer>) -> Vec<Life> {
        let t = &seen.texts().tokens;
        life::offered(t, policy(seen).longest_life, &self.expiry, &[("date", t.life_date)])
    }

    /// When the token stops working: at the end of the day that was named, UTC.
    fn expires_at(&self, now: Timestamp) -> Result<Option<Timestamp>, NoDate> {
        match self.expiry.as_str() {
            "date" => {
                let end: Timestamp = format!("{}T23:59:59Z", self.expiry_date).parse().map_err(|_| NoDate)?;
                Ok(Some(end))
            }
            life => life::end(life, now).map_err(|life::NotOffered| NoDate),
        }
    }
}

/// Neither a date nor one of the lengths of life.
struct NoDate;

pub(super) fn policy(seen: &Seen<Developer>) -> &Policy {
    &seen.visit.app().policy
}

pub(super) fn catalogue(seen: &Seen<Developer>) -> &Arc<PermissionCatalogue> {
    &policy(seen).permissions
}

/// The lines of a field.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', ',']).map(str::trim).filter(|line| !line.is_empty())
}

fn ticked<T: Copy>(choices: &[Choice<T>]) -> impl Iterator<Item = T> {
    choices.iter().filter(|choice| choice.ticked).map(|choice| choice.id)
}

/// The other companies that the person administers and that have API access.
fn others(seen: &Seen<Developer>) -> Vec<(AccountId, String)> {
    let at = seen.at();
    let all = at.visitor.signed_in().companies().iter();
    let usable = all.filter(|one| one.id != at.company.id && one.is_administered() && one.api_access);
    usable.map(|one| (one.id, one.legal_name.clone())).collect()
}

/// The groups whose parent company the person administers: they may be named whole.
async fn groups(seen: &Seen<Developer>) -> Result<Vec<Group>, StoreError> {
    let administered = seen.at().visitor.signed_in().administered();
    let first = PageRules::USUAL.page(None, Some(PageRules::USUAL.max)).map_err(StoreError::backend)?;
    let page = seen.visit.app().business.groups().page(&administered, &(), &Sort::default(), first).await?;
    Ok(page.items.into_iter().filter(|group| administered.contains(group.parent)).collect())
}
