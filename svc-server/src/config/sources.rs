//! Where settings come from: defaults, then `svc.toml`, then `SVC_*` variables, then flags.
//!
//! Variables and flags are kept as the text that was written. A key of 64
//! hexadecimal digits must not turn into a number on its way.

use std::path::{Path, PathBuf};

use figment::providers::{Format, Toml};
use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider, Source};

use super::keys::{self, KEYS, Key, PREFIX};
use crate::failure::Failure;

/// The file that is read when no other is named and it is there.
pub(crate) const DEFAULT_FILE: &str = "svc.toml";

/// Variables for the tests of the workspace; no settings.
const TEST_PREFIX: &str = "SVC_TEST_";

/// A setting given as a flag.
#[derive(Debug)]
pub(crate) struct Flag {
    /// The flag: `--listen`.
    pub(crate) name: &'static str,
    /// Path of the setting.
    pub(crate) key: &'static str,
    /// Its value.
    pub(crate) value: String,
}

/// Settings of all sources, the later ones on top.
pub(crate) struct Sources {
    figment: Figment,
}

/// The value of a setting, as it was written, with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The texts: one, or those of a list.
    pub(crate) texts: Vec<String>,
    /// Where it was written, for people: `the variable SVC_LISTEN`.
    pub(crate) origin: String,
}

impl Sources {
    /// Reads every source and refuses settings that do not exist.
    pub(crate) fn read(
        file: Option<&Path>,
        variables: impl IntoIterator<Item = (String, String)>,
        flags: Vec<Flag>,
    ) -> Result<Self, Failure> {
        let mut sources = Self::defaults();
        if let Some(path) = toml_file(file)? {
            let toml = Toml::file_exact(&path);
            sources = Self { figment: sources.figment.merge(toml) };
            sources.check_file(&path)?;
        }
        for (variable, value) in variables {
            if let Some(rest) = variable.strip_prefix(PREFIX).filter(|_| !variable.starts_with(TEST_PREFIX)) {
                let name = rest.to_lowercase().replace("__", ".");
                let key = keys::find(&name).ok_or_else(|| unknown(&name, &variable))?;
                sources = sources.with(key.name, format!("the variable {variable}"), value);
            }
        }
        Ok(flags.into_iter().fold(sources, |sources, flag| {
            sources.with(flag.key, format!("the flag {}", flag.name), flag.value)
        }))
    }

    /// Only the defaults with `flags` on top: without environment and files.
    pub(crate) fn isolated(flags: Vec<Flag>) -> Self {
        flags.into_iter().fold(Self::defaults(), |sources, flag| {
            sources.with(flag.key, format!("the flag {}", flag.name), flag.value)
        })
    }

    /// The value of a setting; `None` when no source has one.
    pub(crate) fn written(&self, key: &Key) -> Option<Written> {
        let value = self.figment.find_value(key.name).ok()?;
        let origin = self.figment.get_metadata(value.tag()).map_or_else(|| "default".to_owned(), origin);
        Some(Written { texts: texts(&value), origin })
    }

    fn defaults() -> Self {
        let empty = Self { figment: Figment::new() };
        KEYS.iter()
            .filter_map(|key| key.default.map(|value| (key.name, value)))
            .fold(empty, |sources, (name, value)| sources.with(name, "default".to_owned(), value.to_owned()))
    }

    fn with(self, key: &'static str, origin: String, value: String) -> Self {
        Self { figment: self.figment.merge(Single { key, origin, value }) }
    }

    fn check_file(&self, path: &Path) -> Result<(), Failure> {
        let all: Dict = self.figment.extract().map_err(|error| {
            // Its first line says where; the others quote the file, which may hold passwords.
            let text = error.to_string();
            let place = text.lines().next().unwrap_or_default().trim();
            Failure::usage("config_invalid", format!("{} cannot be read: {place}", path.display()))
                .hint("texts are quoted: database_url = \"sqlite://data/svc.db\"")
        })?;
        let mut found = Vec::new();
        flatten("", &all, &mut found);
        match found.iter().find(|name| keys::find(name).is_none()) {
            Some(name) => Err(unknown(name, &path.display().to_string())),
            None => Ok(()),
        }
    }
}

fn toml_file(named: Option<&Path>) -> Result<Option<PathBuf>, Failure> {
    match named {
        Some(path) if path.is_file() => Ok(Some(path.to_owned())),
        Some(path) => Err(Failure::usage("config_missing", format!("there is no file {}", path.display()))
            .hint("name an existing file with --config, or leave the flag out")),
        None => Ok(Some(PathBuf::from(DEFAULT_FILE)).filter(|path| path.is_file())),
    }
}

fn unknown(name: &str, origin: &str) -> Failure {
    let failure =
        Failure::usage("unknown_setting", format!("there is no setting `{name}` (written in {origin})"));
    match keys::closest(name) {
        Some(key) => failure.hint(format!("did you mean `{}` ({})?", key.name, key.variable())),
        None => failure.hint("`svc-server doctor` lists every setting; remove this one"),
    }
}

fn origin(metadata: &Metadata) -> String {
    match metadata.source.as_ref().and_then(Source::file_path) {
        Some(path) => path.display().to_string(),
        None => metadata.name.to_string(),
    }
}

fn flatten(prefix: &str, dict: &Dict, found: &mut Vec<String>) {
    for (name, value) in dict {
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value.as_dict() {
            Some(nested) if !nested.is_empty() => flatten(&path, nested, found),
            Some(_) | None => found.push(path),
        }
    }
}

fn texts(value: &Value) -> Vec<String> {
    match value.as_array() {
        Some(items) => items.iter().flat_map(texts).collect(),
        None => vec![text(value)],
    }
}

fn text(value: &Value) -> String {
    if let Some(text) = value.as_str() {
        return text.to_owned();
    }
    if let Some(flag) = value.to_bool() {
        return flag.to_string();
    }
    if let Some(number) = value.to_i128() {
        return number.to_string();
    }
    value.to_f64().map(|number| number.to_string()).unwrap_or_default()
}

/// One value of one source.
struct Single {
    key: &'static str,
    origin: String,
    value: String,
}

impl Provider for Single {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.origin.clone())
    }

    fn data(&self) -> figment::Result<Map<Profile, Dict>> {
        let nested = figment::util::nest(self.key, Value::from(self.value.clone()));
        Ok(Profile::Default.collect(nested.into_dict().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn written(sources: &Sources, name: &str) -> Option<Written> {
        sources.written(keys::find(name).expect("known"))
    }

    #[test]
    fn a_later_source_wins_and_its_origin_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("svc.toml");
        let toml = "listen = '127.0.0.1:1'\npublic_url = 'http://file'\n[webhooks]\nkeep_days = 7\n\
                    exempt_targets = ['10.0.0.0/8', '127.0.0.0/8']\n";
        std::fs::write(&file, toml).expect("written");
        let flag = Flag { name: "--listen", key: "listen", value: "127.0.0.1:3".into() };
        let sources = Sources::read(
            Some(&file),
            variables(&[("SVC_LISTEN", "127.0.0.1:2"), ("SVC_MASTER_KEY", "12345e67"), ("PATH", "/bin")]),
            vec![flag],
        )
        .expect("valid");

        let told = |name| written(&sources, name).map(|found| (found.texts.join(","), found.origin));
        assert_eq!(told("listen"), Some(("127.0.0.1:3".into(), "the flag --listen".into())));
        assert_eq!(
            told("master_key"),
            Some(("12345e67".into(), "the variable SVC_MASTER_KEY".into())),
            "the text stays as it was written"
        );
        assert_eq!(told("webhooks.keep_days"), Some(("7".into(), file.display().to_string())));
        assert_eq!(
            told("webhooks.exempt_targets").map(|found| found.0),
            Some("10.0.0.0/8,127.0.0.0/8".into())
        );
        assert_eq!(told("log"), Some(("info".into(), "default".into())));
        assert_eq!(told("tls.cert"), None);
    }

    #[test]
    fn a_misspelt_setting_is_refused_with_its_origin_and_a_proposal() {
        let refused = |pairs| Sources::read(None, variables(pairs), Vec::new()).err().expect("refused");
        let failure = refused(&[("SVC_WEBHOOK__TIMEOUT", "1s")]);
        assert!(failure.message().contains("`webhook.timeout` (written in SVC_WEBHOOK__TIMEOUT)"));
        assert!(failure.hint_text().is_some_and(|hint| hint.contains("SVC_WEBHOOKS__TIMEOUT")));
        assert!(Sources::read(None, variables(&[("SVC_TEST_POSTGRES_URL", "x")]), Vec::new()).is_ok());

        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("svc.toml");
        std::fs::write(&file, "[limits]\nper_hour = 3\n").expect("written");
        let failure = Sources::read(Some(&file), Vec::new(), Vec::new()).err().expect("refused");
        assert!(failure.message().contains("limits.per_hour") && failure.message().contains("svc.toml"));
    }
}
