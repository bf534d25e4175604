//! Permissions as people choose them, area by area, and as they are told in plain words.

use svc_core::permission::{Grants, Permission, PermissionCatalogue};
use svc_http::visit::Form;

use crate::language::Language;
use crate::texts::permissions as words;

/// How far a token reaches into an area, or into all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Not at all.
    None,
    /// It reads everything, later resources included.
    Read,
    /// It reads and does everything.
    Full,
    /// What is ticked.
    Some,
}

impl Reach {
    fn parse(text: &str) -> Option<Self> {
        [Self::None, Self::Read, Self::Full, Self::Some].into_iter().find(|reach| reach.name() == text)
    }

    /// As forms have it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Read => "read",
            Self::Full => "full",
            Self::Some => "some",
        }
    }
}

/// The part of a form that chooses permissions.
pub(crate) struct Picker {
    /// All areas at once, or each by itself.
    pub(crate) all: Reach,
    pub(crate) areas: Vec<Area>,
}

/// The permissions of an area.
pub(crate) struct Area {
    pub(crate) name: &'static str,
    pub(crate) label: String,
    pub(crate) reach: Reach,
    pub(crate) resources: Vec<Resource>,
}

/// The permissions of a resource.
pub(crate) struct Resource {
    pub(crate) label: String,
    pub(crate) actions: Vec<Action>,
}

/// One permission.
pub(crate) struct Action {
    pub(crate) permission: Permission,
    pub(crate) label: String,
    pub(crate) ticked: bool,
}

impl Picker {
    /// As a token has them.
    pub(crate) fn of(grants: &Grants, catalogue: &PermissionCatalogue, language: Language) -> Self {
        let has = |written: &str| grants.written().iter().any(|held| held == written);
        let all = match (has("*:*.*"), grants.written()) {
            (true, _) => Reach::Full,
            (false, [only]) if only == "*:*.read" => Reach::Read,
            (false, _) => Reach::Some,
        };
        let everywhere = has("*:*.read");
        let reach = |area: &str, some: bool| match (has(&format!("{area}:*.*")), some) {
            (true, _) => Reach::Full,
            (false, _) if has(&format!("{area}:*.read")) => Reach::Read,
            (false, true) => Reach::Some,
            (false, false) if everywhere => Reach::Read,
            (false, false) => Reach::None,
        };
        let ticked = |permission: Permission| grants.cover(permission);
        let mut picker = Self { all, areas: areas(catalogue, language, ticked) };
        for area in &mut picker.areas {
            let beyond =
                |action: &Action| action.ticked && !(everywhere && action.permission.action() == "read");
            let some = area.resources.iter().flat_map(|resource| &resource.actions).any(beyond);
            area.reach = reach(area.name, some);
        }
        picker
    }

    /// As a form was filled in.
    pub(crate) fn from_form(form: &Form, catalogue: &PermissionCatalogue, language: Language) -> Self {
        let chosen = form.all("permission");
        let ticked = |permission: Permission| chosen.iter().any(|name| name == permission.name());
        let mut areas = areas(catalogue, language, ticked);
        for area in &mut areas {
            let reach = Reach::parse(form.text(&format!("area-{}", area.name)));
            area.reach = reach.unwrap_or(Reach::None);
        }
        Self { all: Reach::parse(form.text("all")).unwrap_or(Reach::Some), areas }
    }

    /// The names, wildcards and levels that it stands for.
    pub(crate) fn written(&self) -> Vec<String> {
        match self.all {
            Reach::Full => return vec!["full".to_owned()],
            Reach::Read => return vec!["read".to_owned()],
            Reach::None | Reach::Some => {}
        }
        let mut written = Vec::new();
        for area in &self.areas {
            match area.reach {
                Reach::None => {}
                Reach::Read | Reach::Full => written.push(format!("{}:{}", area.name, area.reach.name())),
                Reach::Some => {
                    let actions = area.resources.iter().flat_map(|resource| &resource.actions);
                    let ticked = actions.filter(|action| action.ticked);
                    written.extend(ticked.map(|action| action.permission.name().to_owned()));
                }
            }
        }
        written
    }
}

/// What a token may do in an area, in plain words.
pub(crate) struct Told {
    pub(crate) area: String,
    pub(crate) what: String,
}

/// What these grants let a token do, in plain words.
pub(crate) fn told(grants: &Grants, catalogue: &PermissionCatalogue, language: Language) -> Vec<Told> {
    let areas = areas(catalogue, language, |permission| grants.cover(permission));
    areas.into_iter().filter_map(|area| told_of(area, language)).collect()
}

fn told_of(area: Area, language: Language) -> Option<Told> {
    let t = &language.texts().tokens;
    let actions = || area.resources.iter().flat_map(|resource| &resource.actions);
    let reads = |action: &Action| action.permission.action() == "read";
    let what = if actions().all(|action| action.ticked) {
        t.told_full.to_owned()
    } else if actions().all(|action| action.ticked == reads(action)) {
        t.told_read.to_owned()
    } else {
        let parts = area.resources.iter().filter_map(|resource| {
            let ticked: Vec<&str> = resource
                .actions
                .iter()
                .filter(|action| action.ticked)
                .map(|action| action.label.as_str())
                .collect();
            (!ticked.is_empty()).then(|| format!("{}: {}", resource.label, ticked.join(", ")))
        });
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() {
            return None;
        }
        parts.join("; ")
    };
    Some(Told { area: area.label, what })
}

/// The catalogue by area and resource, in its order.
fn areas(
    catalogue: &PermissionCatalogue,
    language: Language,
    ticked: impl Fn(Permission) -> bool,
) -> Vec<Area> {
    let mut areas: Vec<Area> = Vec::new();
    let mut last_resource = "";
    for permission in catalogue.all() {
        let (name, resource) = (permission.area(), resource_of(permission));
        if areas.last().is_none_or(|area| area.name != name) {
            let label = words::area(name, language);
            areas.push(Area { name, label, reach: Reach::None, resources: Vec::new() });
            last_resource = "";
        }
        let Some(area) = areas.last_mut() else { continue };
        if resource != last_resource {
            area.resources.push(Resource { label: words::resource(resource, language), actions: Vec::new() });
            last_resource = resource;
        }
        let label = words::action(permission.action(), language);
        if let Some(resource) = area.resources.last_mut() {
            resource.actions.push(Action { permission, label, ticked: ticked(permission) });
        }
    }
    areas
}

fn resource_of(permission: Permission) -> &'static str {
    let after = permission.name().split_once(':').map_or("", |(_, rest)| rest);
    after.split('.').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use svc_business::catalogue;

    use super::*;

    fn picked(written: &[&str]) -> Vec<String> {
        let catalogue = catalogue::permissions();
        let grants = catalogue.grants(written).expect("known");
        let again = Picker::of(&grants, &catalogue, Language::English).written();
        let read = |grants: &Grants| -> Vec<&str> {
            catalogue.all().filter(|one| grants.cover(*one)).map(Permission::name).collect()
        };
        assert_eq!(read(&catalogue.grants(&again).expect("known")), read(&grants), "{written:?} {again:?}");
        again
    }

    #[test]
    fn the_form_of_a_token_stands_for_what_the_token_has() {
        assert_eq!(picked(&["full"]), ["full"]);
        assert_eq!(picked(&["read"]), ["read"]);
        assert_eq!(picked(&["sales:read", "crm:full"]), ["crm:full", "sales:read"]);
        assert_eq!(picked(&["sales:invoices.read"]), ["sales:invoices.read"]);
        picked(&["read", "sales:full"]);
        picked(&["read", "sales:invoices.issue"]);
        picked(&["contacts:contacts.*", "sales:read"]);
    }

    #[test]
    fn what_a_token_may_do_is_told_by_area() {
        let catalogue = catalogue::permissions();
        let grants = catalogue.grants(["crm:full", "sales:read", "contacts:contacts.delete"]).expect("known");
        let told = told(&grants, &catalogue, Language::English);
        let areas: Vec<&str> = told.iter().map(|told| told.area.as_str()).collect();
        assert_eq!(areas, ["Contacts and companies", "Matters", "Sales"]);
        let t = &Language::English.texts().tokens;
        assert_eq!(told[1].what, t.told_full);
        assert_eq!(told[2].what, t.told_read);
        assert!(told[0].what.contains("delete"), "{}", told[0].what);
    }
}
