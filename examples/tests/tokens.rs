//! The token example ends by itself, its storage keeps the contract of svc-auth, and its routes check every token.

mod tokens {
    pub(crate) mod contract;
    pub(crate) mod program;
    pub(crate) mod requests;
    pub(crate) mod test_app;
}
