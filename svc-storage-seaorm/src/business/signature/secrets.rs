//! Salts and hashes, in hexadecimal.

use svc_business::signature::key::{LinkHash, Salt};
use svc_core::hex::{Hex, decode};

use crate::business::cell::Stored;

impl Stored for LinkHash {
    type Sql = String;

    fn to_sql(&self) -> String {
        Hex(&self.0).to_string()
    }

    fn from_sql(sql: String) -> Option<Self> {
        decode(&sql).map(Self)
    }
}

impl Stored for Salt {
    type Sql = String;

    fn to_sql(&self) -> String {
        Hex(&self.0).to_string()
    }

    fn from_sql(sql: String) -> Option<Self> {
        decode(&sql).map(Self)
    }
}
