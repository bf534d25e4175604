//! Values for query parameters, by what the document says of each.

use serde_json::Value;

use super::request::Writer;
use super::route::Route;
use super::side::Side;

impl Writer {
    /// Makes a value up for every parameter of every route, so that one that cannot be made up shows at once.
    pub(super) fn try_params(&self, routes: &[Route], sides: &[Side]) {
        for param in routes.iter().flat_map(|route| &route.params) {
            self.param(param, sides, 0);
        }
    }

    /// `name=value`, with a value that the route takes.
    pub(super) fn param(&self, param: &Value, sides: &[Side], who: usize) -> String {
        let name = param["name"].as_str().unwrap();
        let schema = &param["schema"];
        let value = if let Some(value) = self.by_name(param, sides, who) {
            value
        } else if let Some(names) = schema["enum"].as_array() {
            self.pick(names).as_str().unwrap().to_owned()
        } else if let Some(kind) = schema["pattern"].as_str().and_then(id_kind) {
            self.id(kind, sides, who)
        } else if schema["type"] == "integer" {
            (1 + self.below(3)).to_string()
        } else {
            match schema["format"].as_str() {
                Some("date") => "2025-03-01".to_owned(),
                Some("date-time") => "2025-01-01T00:00:00Z".to_owned(),
                _ if schema["anyOf"].is_array() => "2025-03-01".to_owned(),
                _ => panic!("no value is known for the parameter {name}: {param}"),
            }
        };
        format!("{name}={value}")
    }

    /// What is more than its schema tells.
    fn by_name(&self, param: &Value, sides: &[Side], who: usize) -> Option<String> {
        let id = |kind| self.id(kind, sides, who);
        let listed = param["description"].as_str().unwrap_or_default();
        Some(match param["name"].as_str().unwrap() {
            "companyId" if param["schema"]["pattern"].is_string() => id("acc"),
            "companyId" if self.one_in(3) => "all".to_owned(),
            "companyId" if self.one_in(2) => format!("{},{}", id("acc"), id("acc")),
            "companyId" => id("acc"),
            "sort" => {
                let fields = listed.trim_start_matches("One of ").split(';').next().unwrap();
                let fields: Vec<_> = fields.split(", ").collect();
                format!("{}{}", if self.one_in(2) { "-" } else { "" }, self.pick(&fields))
            }
            "q" => self.pick(sides).canary.clone(),
            "prefix" | "accountPrefix" => "62".to_owned(),
            "accountCode" => "6210000".to_owned(),
            "buckets" => "30,60".to_owned(),
            "sourceType" => "invoice".to_owned(),
            "sourceId" => format!("inv_{}", "0".repeat(26)),
            "entryStatus" => "draft,posted,reversed".to_owned(),
            "code" => "S-1".to_owned(),
            "period" => "1T".to_owned(),
            "declarationNumber" => "3470000000001".to_owned(),
            "contactName" => "Sol%20Ana".to_owned(),
            "contactPhone" => "600123456".to_owned(),
            "number" => "F2025-00001".to_owned(),
            "currency" => "EUR".to_owned(),
            "minTotal" | "maxTotal" | "minAmount" | "maxAmount" => "100.00".to_owned(),
            "taxId" => "B12345674".to_owned(),
            "iban" => "ES9121000418450200051332".to_owned(),
            "folderId" | "parentId" if self.one_in(2) => "none".to_owned(),
            "folderId" | "parentId" => id("fld"),
            "section" => "1%20Shared".to_owned(),
            "signerEmail" => "ana@example.com".to_owned(),
            "linkType" => "contact".to_owned(),
            "mimeType" => "text/plain".to_owned(),
            "tag" => "shared".to_owned(),
            "externalId" => format!("ext-{}", self.below(6)),
            "linkId" | "parentContactId" | "contactId" | "objectId" => id("con"),
            "responsibleUserId" => format!("usr_{}", "0".repeat(26)),
            "eventType" => "contact.create".to_owned(),
            "type" if param["schema"]["enum"].is_null() => "contact.create".to_owned(),
            _ => return None,
        })
    }
}

/// Which ids a pattern describes: `^con_...$`.
fn id_kind(pattern: &str) -> Option<&str> {
    pattern.trim_start_matches('^').split_once('_').map(|(kind, _)| kind)
}
