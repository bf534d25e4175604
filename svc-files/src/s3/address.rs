//! The address of a bucket, and the client that it makes.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey, AwsCredential};
use object_store::path::Path;
use object_store::{RetryConfig, StaticCredentialProvider};
use secrecy::ExposeSecret as _;
use url::{Host, Url};

use super::Credentials;
use super::connector::HyperConnector;
use super::keys::Keys;
use super::tls;
use crate::files::OpenError;

/// Time from a request to the last time that it is sent again.
const MOST_FOR_RETRIES: Duration = Duration::from_mins(1);
/// How often a request is sent again.
const MOST_RETRIES: usize = 5;

/// What an address says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Address {
    bucket: String,
    prefix: Path,
    endpoint: Option<String>,
    region: Option<String>,
    allow_http: bool,
}

/// The client for an address, and the keys below its prefix.
pub(super) fn open(address: &str, credentials: Option<Credentials>) -> Result<(AmazonS3, Keys), OpenError> {
    let Address { bucket, prefix, endpoint, region, allow_http } = parse(address)?;
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
    if let Some(region) = region {
        builder = builder.with_region(region);
    }
    if let Some(endpoint) = endpoint {
        builder = builder.with_config(AmazonS3ConfigKey::S3Endpoint, endpoint);
    }
    if let Some(Credentials { access_key_id, secret_access_key, session_token }) = credentials {
        builder = builder.with_credentials(Arc::new(StaticCredentialProvider::new(AwsCredential {
            key_id: access_key_id,
            secret_key: secret_access_key.expose_secret().to_owned(),
            token: session_token.map(|token| token.expose_secret().to_owned()),
        })));
    }
    // The endpoint may be one of the environment.
    let endpoint = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint]
        .iter()
        .find_map(|key| builder.get_config_value(key));
    let in_the_clear = endpoint.as_deref().map_or(Ok(false), |endpoint| is_clear(endpoint, allow_http))?;
    let bundle = std::env::var_os("AWS_CA_BUNDLE").filter(|path| !path.is_empty()).map(PathBuf::from);
    let retry =
        RetryConfig { max_retries: MOST_RETRIES, retry_timeout: MOST_FOR_RETRIES, ..RetryConfig::default() };
    let bucket = builder
        .with_allow_http(in_the_clear)
        .with_retry(retry)
        // Not every server of the protocol has the request that deletes many.
        .with_disable_bulk_delete(true)
        .with_http_connector(HyperConnector { tls: tls::config(bundle.as_deref())? })
        .build()
        .map_err(|error| OpenError::Setup(error.into()))?;
    Ok((bucket, Keys::below(prefix)))
}

/// Whether an endpoint is reached without TLS, which beyond this machine the address must allow.
fn is_clear(endpoint: &str, allow_http: bool) -> Result<bool, OpenError> {
    let wrong = || OpenError::Address(format!("write the endpoint `{endpoint}` as https://HOST"));
    let url = Url::parse(endpoint).map_err(|_| wrong())?;
    let host = url.host().ok_or_else(wrong)?;
    match url.scheme() {
        "https" => Ok(false),
        "http" if allow_http || is_this_machine(&host) => Ok(true),
        "http" => Err(OpenError::Address(format!(
            "use https for the endpoint `{endpoint}`, or add allow_http=true where its network is trusted"
        ))),
        _ => Err(wrong()),
    }
}

fn is_this_machine(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => *name == "localhost",
        Host::Ipv4(address) => IpAddr::from(*address).is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

fn parse(address: &str) -> Result<Address, OpenError> {
    let refused = |fix: &str| Err(OpenError::Address(fix.to_owned()));
    let Ok(url) = Url::parse(address) else {
        return refused("name a bucket after s3://, as in s3://my-bucket/files");
    };
    if !url.username().is_empty() || url.password().is_some() {
        return refused(
            "move the credentials from the address to AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        );
    }
    let Some(bucket) = url.host_str().filter(|bucket| !bucket.is_empty() && url.port().is_none()) else {
        return refused("name a bucket after s3://, as in s3://my-bucket/files");
    };
    let Ok(prefix) = Path::from_url_path(url.path()) else {
        return refused("write the prefix after the bucket as names with single slashes between them");
    };
    let mut parsed = Address { bucket: bucket.to_owned(), prefix, ..Address::default() };
    for (name, value) in url.query_pairs() {
        match (&*name, &*value) {
            ("endpoint", value) => parsed.endpoint = Some(value.to_owned()),
            ("region", value) => parsed.region = Some(value.to_owned()),
            ("allow_http", "true") => parsed.allow_http = true,
            ("allow_http", "false") => parsed.allow_http = false,
            ("allow_http", _) => return refused("write allow_http as true or false"),
            (other, _) => {
                let fix = format!("remove `{other}`: the parameters are endpoint, region and allow_http");
                return refused(&fix);
            }
        }
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_bucket_and_may_have_more() {
        let bare = parse("s3://files").expect("an address");
        assert_eq!(bare, Address { bucket: "files".into(), ..Address::default() });
        let whole = "s3://files/svc/a%20b?endpoint=https://s3.example.com&region=eu-south-2&allow_http=true";
        assert_eq!(
            parse(whole).expect("an address"),
            Address {
                bucket: "files".into(),
                prefix: Path::from_iter(["svc", "a b"]),
                endpoint: Some("https://s3.example.com".into()),
                region: Some("eu-south-2".into()),
                allow_http: true,
            }
        );
    }

    #[test]
    fn what_is_wrong_with_an_address_is_told_with_its_fix() {
        for (address, fix) in [
            ("s3://", "name a bucket"),
            ("s3:///files", "name a bucket"),
            ("s3://files:9000/x", "name a bucket"),
            ("s3://key:secret@files", "move the credentials"),
            ("s3://files//x", "single slashes"),
            ("s3://files?Region=x", "remove `Region`"),
            ("s3://files?allow_http=yes", "true or false"),
        ] {
            let refused = parse(address).expect_err(address).to_string();
            assert!(refused.contains(fix), "{address}: {refused}");
            assert!(!refused.contains("secret@"), "{refused}");
        }
    }

    #[test]
    fn an_endpoint_in_the_clear_is_on_this_machine_or_allowed() {
        for endpoint in ["http://localhost:9000", "http://127.0.0.1:9000", "http://[::1]:9000"] {
            assert!(matches!(is_clear(endpoint, false), Ok(true)), "{endpoint}");
        }
        assert!(matches!(is_clear("https://s3.example.com", true), Ok(false)));
        assert!(matches!(is_clear("http://minio:9000", true), Ok(true)));
        for (endpoint, fix) in [
            ("http://minio:9000", "allow_http=true"),
            ("minio:9000", "https://HOST"),
            ("ftp://minio", "https://HOST"),
            ("", "https://HOST"),
        ] {
            let refused = is_clear(endpoint, false).expect_err(endpoint).to_string();
            assert!(refused.contains(fix), "{endpoint}: {refused}");
        }
    }
}
