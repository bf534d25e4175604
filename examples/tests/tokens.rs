//! The token example: its storage keeps the contract of svc-auth, and its routes check every token.

mod tokens {
    pub(crate) mod contract;
    pub(crate) mod requests;
    pub(crate) mod test_app;
}
