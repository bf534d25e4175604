//! Every setting there is, as data: what `doctor` prints and what the sources may name.

/// One setting.
#[derive(Debug)]
pub(crate) struct Key {
    /// Its path in `svc.toml`: `webhooks.timeout`.
    pub(crate) name: &'static str,
    /// The value when no source names one.
    pub(crate) default: Option<&'static str>,
    /// Whether its value must not be shown.
    pub(crate) secret: bool,
    /// What it decides, in one line.
    pub(crate) about: &'static str,
}

impl Key {
    /// The environment variable of this setting: `SVC_WEBHOOKS__TIMEOUT`.
    pub(crate) fn variable(&self) -> String {
        format!("{PREFIX}{}", self.name.to_uppercase().replace('.', "__"))
    }
}

/// What the environment variables of the service start with.
pub(crate) const PREFIX: &str = "SVC_";

const fn key(name: &'static str, default: Option<&'static str>, about: &'static str) -> Key {
    Key { name, default, secret: false, about }
}

const fn secret(name: &'static str, default: Option<&'static str>, about: &'static str) -> Key {
    Key { name, default, secret: true, about }
}

/// Every setting, in the order in which `doctor` shows them.
pub(crate) const KEYS: &[Key] = &[
    // A PostgreSQL URL carries a password.
    secret(
        "database_url",
        Some("sqlite://data/svc.db"),
        "sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME",
    ),
    key(
        "max_connections",
        Some("16"),
        "connections to PostgreSQL (9 at least), or readers of SQLite, at most",
    ),
    key(
        "sqlite.synchronous",
        Some("full"),
        "`normal` is faster and may lose the last commits in a power cut",
    ),
    secret(
        "master_key",
        None,
        "32 bytes in base64 or hex, as KEY or NUMBER:KEY: encrypts webhook secrets, pepper of fingerprints",
    ),
    key("master_key_file", None, "a file that holds the master key instead"),
    secret(
        "master_keys_old",
        Some(""),
        "NUMBER:KEY,… that were in use before: what they made goes on working",
    ),
    key("master_keys_old_file", None, "a file that holds such keys, one in a line"),
    key("listen", Some("127.0.0.1:8080"), "address of the API"),
    key("admin_listen", Some("127.0.0.1:9090"), "address of /metrics, /healthz and /readyz"),
    key("public_url", None, "base of links; made from `listen` when left out"),
    key("behind_proxy", Some("false"), "whether a proxy in front of the service does TLS"),
    key("trusted_proxies", Some(""), "CIDR ranges of the proxies whose word on clients counts"),
    key("client_ip_header", Some("X-Forwarded-For"), "the header in which trusted proxies name the client"),
    key(
        "forwarded_proto_header",
        Some("X-Forwarded-Proto"),
        "the header in which trusted proxies say `https`",
    ),
    key("tls.cert", None, "PEM file with the certificate chain of the API"),
    key("tls.key", None, "PEM file with the private key of the certificate"),
    key("webhooks.exempt_targets", Some(""), "CIDR ranges that webhooks may reach although not public"),
    key("webhooks.ports", Some("443,8443"), "ports that webhooks to public targets may use"),
    key("webhooks.extra_roots", None, "PEM file of authorities that webhooks trust beside the public ones"),
    key("webhooks.retry_waits", Some("1m,5m,30m,2h,12h"), "the five waits between six attempts"),
    key("webhooks.timeout", Some("10s"), "one deadline for each attempt"),
    key("webhooks.keep_days", Some("30"), "days that ended deliveries stay in the log"),
    key(
        "mcp.exempt_targets",
        Some(""),
        "CIDR ranges that documents of OAuth clients may come from although not public",
    ),
    key(
        "mcp.extra_roots",
        None,
        "PEM file of authorities to trust for such documents beside the public ones",
    ),
    key(
        "mcp.allowed_origins",
        Some(""),
        "origins of web pages that may call /mcp, beside that of public_url",
    ),
    secret(
        "mail.smtp_url",
        None,
        "mail server: smtps://USER:PASSWORD@HOST:465 or smtp://…?tls=required; mail goes into a folder without one",
    ),
    key("mail.from", Some("billing@localhost"), "the address that mail comes from"),
    key(
        "mail.folder",
        Some("data/mail"),
        "where mail is written as .eml files while there is no mail server",
    ),
    // It names no keys, but may have been given some.
    secret(
        "files.url",
        None,
        "where contents of files are: file://FOLDER or s3://BUCKET/PREFIX?endpoint=URL&region=NAME; a folder `files` beside \
         the SQLite database, or below the present one, when left out",
    ),
    key("files.max_bytes", Some("26214400"), "largest file that is taken, in bytes"),
    key(
        "notices.folder",
        None,
        "a folder into which notices of public bodies are dropped as .json files; they are recorded within seconds",
    ),
    key(
        "seal.cert",
        None,
        "PEM file with a certificate chain that signed files are sealed with too (PAdES); RSA, or ECDSA on P-256",
    ),
    key("seal.key", None, "PEM file with the private key of that certificate"),
    key("limits.per_minute", Some("300"), "requests per minute of one primary account"),
    key("limits.per_month", Some("200000"), "requests per calendar month of one primary account"),
    key("limits.failures_per_minute", Some("60"), "failed authentications per minute of one address"),
    key("tokens.longest_life", Some(""), "longest life of a new token, such as 90d; none when empty"),
    key("sessions.idle", Some("30m"), "how long people stay signed in without doing anything"),
    key("sessions.absolute", Some("12h"), "how long people stay signed in at most"),
    secret(
        "secret_scanning.key",
        Some(""),
        "32 characters or more that secret scanners sign their reports with; none are taken when empty",
    ),
    key(
        "log",
        Some("info"),
        "filter of the log: `info`, `svc_webhooks=debug,warn`; the MCP library tells warnings alone unless it has `rmcp=…`",
    ),
];

/// The setting with this path.
pub(crate) fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// The known setting that `name` may have been meant to be.
pub(crate) fn closest(name: &str) -> Option<&'static Key> {
    KEYS.iter()
        .map(|key| (distance(key.name, name), key))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, key)| *distance <= key.name.len() / 3)
        .map(|(_, key)| key)
}

/// Levenshtein distance, a row at a time.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.chars().count()).collect();
    for (at, letter) in left.chars().enumerate() {
        let mut diagonal = at;
        let mut previous = at + 1;
        let mut next = vec![previous];
        for (other, above) in right.chars().zip(row.iter().skip(1)) {
            let changed = diagonal + usize::from(letter != other);
            previous = changed.min(above + 1).min(previous + 1);
            diagonal = *above;
            next.push(previous);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_finds_the_key_that_was_meant_and_nonsense_finds_none() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(closest("webhook.timeout").map(|key| key.name), Some("webhooks.timeout"));
        assert_eq!(closest("lissen").map(|key| key.name), Some("listen"));
        assert!(closest("colour_of_the_sky").is_none());
    }

    #[test]
    fn the_document_lists_every_setting_as_it_is() {
        let document = include_str!("../../../docs/settings.md");
        let listed: Vec<_> = document.lines().filter(|line| line.starts_with("| `")).skip(1).collect();
        let expected: Vec<_> = KEYS
            .iter()
            .map(|key| {
                let default = match key.default {
                    None => "–".to_owned(),
                    Some("") => "empty".to_owned(),
                    Some(text) => format!("`{text}`"),
                };
                format!("| `{}` | `{}` | {default} | {} |", key.name, key.variable(), key.about)
            })
            .collect();
        assert_eq!(listed, expected);
    }

    #[test]
    fn a_nested_key_has_two_underscores_in_its_variable() {
        let timeout = find("webhooks.timeout").expect("known");
        assert_eq!(timeout.variable(), "SVC_WEBHOOKS__TIMEOUT");
    }
}
