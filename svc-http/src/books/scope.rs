//! The company whose books a path names.

use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::money::MoneyError;
use svc_core::tenant::Scope;

use crate::api_request::ApiRequest;
use crate::problem::Problem;

impl ApiRequest {
    /// The company that the path names, and the scope of its books alone.
    pub(super) fn books(&self) -> Result<(AccountId, Scope), Problem> {
        let company: AccountId = self.id("companyId")?;
        let scope = self.caller.principal.scope.only(company).ok_or_else(Problem::not_found)?;
        Ok((company, scope))
    }
}

/// A sum of amounts that were kept is beyond the range of amounts.
pub(crate) fn out_of_range(error: MoneyError) -> Problem {
    StoreError::from(error).into()
}
