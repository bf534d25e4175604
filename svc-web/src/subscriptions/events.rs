//! Events as people choose them, by area.

use svc_core::event::EventDeclaration;
use svc_core::permission::Permission;
use svc_http::visit::Form;
use svc_webhooks::subscription::Subscribable;

use crate::language::Language;
use crate::texts::permissions as words;

/// The part of a form that chooses events.
pub(super) struct Picker {
    pub(super) areas: Vec<Area>,
}

/// The events of an area.
pub(super) struct Area {
    pub(super) name: &'static str,
    pub(super) label: String,
    /// Whether all of them are ticked at once.
    pub(super) whole: bool,
    pub(super) events: Vec<Choice>,
}

/// One event.
pub(super) struct Choice {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// What a token would need.
    pub(super) permission: Option<&'static str>,
    pub(super) ticked: bool,
}

impl Picker {
    /// As a subscription has them.
    pub(super) fn of(ticked: impl Fn(&str) -> bool, all: Subscribable<'_>, language: Language) -> Self {
        let mut areas: Vec<Area> = Vec::new();
        for declared in all.all() {
            let choice = choice(declared, ticked(declared.name()), language);
            match areas.iter_mut().find(|area| area.name == declared.area()) {
                Some(area) => area.events.push(choice),
                None => areas.push(Area {
                    name: declared.area(),
                    label: words::area(declared.area(), language),
                    whole: false,
                    events: vec![choice],
                }),
            }
        }
        Self { areas }
    }

    /// As a form was filled in.
    pub(super) fn from_form(form: &Form, all: Subscribable<'_>, language: Language) -> Self {
        let named = |field: &str, name: &str| form.all(field).iter().any(|chosen| chosen.as_str() == name);
        let mut picker = Self::of(|event| named("event", event), all, language);
        for area in &mut picker.areas {
            area.whole = named("events-of", area.name);
        }
        picker
    }

    /// The events that it stands for.
    pub(super) fn named(&self) -> Vec<String> {
        let chosen = |area: &Area| -> Vec<String> {
            let events = area.events.iter().filter(|event| area.whole || event.ticked);
            events.map(|event| event.name.to_owned()).collect()
        };
        self.areas.iter().flat_map(chosen).collect()
    }
}

fn choice(declared: &EventDeclaration, ticked: bool, language: Language) -> Choice {
    Choice {
        name: declared.name(),
        description: declared.description(language.of_events()),
        permission: declared.permission().map(Permission::name),
        ticked,
    }
}

#[cfg(test)]
mod tests {
    use svc_business::catalogue;
    use svc_core::permission::Grants;

    use super::*;

    #[test]
    fn a_form_names_single_events_and_whole_areas() {
        let (events, held) = (catalogue::events(), Grants::all());
        let all = Subscribable::new(&events, &held);
        let chosen = |form: &str| {
            let form = Form::read(form.as_bytes()).expect("a form");
            Picker::from_form(&form, all, Language::English).named()
        };
        assert_eq!(chosen("event=contact.create&event=no.event"), ["contact.create"]);
        let cases: Vec<_> =
            events.all().filter(|event| event.area() == "crm").map(EventDeclaration::name).collect();
        assert!(!cases.is_empty());
        assert_eq!(chosen("events-of=crm"), cases);
        assert_eq!(chosen("event=contact.create&events-of=crm").len(), cases.len() + 1);
        let whole = Picker::of(|_| true, all, Language::Spanish);
        assert_eq!((whole.named().len(), whole.areas.len()), (44, 9));
    }
}
