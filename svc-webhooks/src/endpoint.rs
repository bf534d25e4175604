//! The URL of a receiver (specification, part 2.2).
//!
//! What can be said of a URL alone is checked here; whether its name leads to
//! a public address is the matter of [`crate::ports::HttpSender::check`].

use std::fmt;

use thiserror::Error;
use url::Url;

/// Longest URL that is accepted, in bytes.
pub const MAX_URL_LENGTH: usize = 2048;

/// A receiver's URL that passed every check that needs no network.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint(Url);

/// Why a URL is not a receiver's.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EndpointError {
    /// Not an absolute URL with a host.
    #[error("expected an absolute URL such as https://hooks.example.com/svc")]
    Malformed,
    /// More than [`MAX_URL_LENGTH`] bytes.
    #[error("the URL is longer than {MAX_URL_LENGTH} bytes")]
    TooLong,
    /// Neither https nor, for exempt targets, http.
    #[error("the URL must start with https://")]
    Scheme,
    /// A user name or password in the URL.
    #[error("the URL must not carry a user name or password")]
    Credentials,
    /// A fragment, which no request carries.
    #[error("the URL must not have a #fragment")]
    Fragment,
}

impl Endpoint {
    /// Reads a URL.
    ///
    /// `http` passes here: it is refused by [`crate::ports::HttpSender::check`]
    /// unless the operator exempted every address behind the name.
    ///
    /// # Errors
    /// The first rule that the text breaks.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        if text.len() > MAX_URL_LENGTH {
            return Err(EndpointError::TooLong);
        }
        let url = Url::parse(text).map_err(|_| EndpointError::Malformed)?;
        if !matches!(url.scheme(), "https" | "http") {
            return Err(EndpointError::Scheme);
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(EndpointError::Malformed);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(EndpointError::Credentials);
        }
        if url.fragment().is_some() {
            return Err(EndpointError::Fragment);
        }
        Ok(Self(url))
    }

    /// The URL.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// The URL as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Endpoint {
    /// Scheme and host only: paths and queries of receivers often carry secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/…", self.0.scheme(), self.0.host_str().unwrap_or_default())
    }
}
