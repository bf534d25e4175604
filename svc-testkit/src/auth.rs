//! For svc-auth: storage in memory, the contract of its storage port, and the
//! reference model of a token's life, alone and among people and companies.

pub mod contract;
mod directory;
mod memory;
mod model;
pub mod steps;
pub mod verbs;

pub use self::contract::{AuthFixture, AuthSeed, TokenFixture};
#[doc(hidden)]
pub use self::contract::{audit_cases, directory_cases, directory_version_cases, token_cases, version_cases};
pub use self::memory::{MemoryAuth, MemoryOauth};
pub use self::model::{ModelState, TokenModel, TokenStep, token, token_life};
#[doc(hidden)]
pub use self::steps::model_cases;
