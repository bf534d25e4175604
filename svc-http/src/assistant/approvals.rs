//! Calls of an assistant that its person has to approve: see [`svc_auth::approval`].

use svc_auth::approval::{self, Approval, AskError, CallDigest, Shown, Standing};
use svc_auth::authenticate::{Access, permit};
use svc_core::id::{AccountId, ApprovalId};
use svc_core::permission::Permission;

use super::Assistant;
use crate::problem::Problem;

impl Assistant {
    /// Refuses a call that its caller may not make, before a person is asked about it.
    ///
    /// # Errors
    /// `missing_permission`, as the route itself would answer.
    pub fn permits(&self, permission: Permission) -> Result<(), Problem> {
        permit(self.principal(), Access::Permission(permission)).map_err(Problem::from)
    }

    /// The approval of a call, as it stands.
    ///
    /// # Errors
    /// That of a store that fails.
    pub async fn known(&self, call: CallDigest) -> Result<Option<Approval>, Problem> {
        Ok(approval::known(self.oauth()?.storage(), self.principal(), call, self.context.now).await?)
    }

    /// Ends an approval before its time; answers whether it did, and it had not come to another stage.
    ///
    /// # Errors
    /// That of a store that fails.
    pub async fn end(&self, approval: &Approval) -> Result<bool, Problem> {
        Ok(approval::end(self.oauth()?.storage(), approval, self.context.now).await?)
    }

    /// How far the approval of a call is; one that was given is used by this.
    ///
    /// # Errors
    /// That of a store that fails.
    pub async fn present(&self, call: CallDigest) -> Result<Standing, Problem> {
        let storage = self.oauth()?.storage();
        Ok(approval::present(storage, self.principal(), call, self.context.now).await?)
    }

    /// Takes what the person said in the client about the call that this approval is for.
    ///
    /// # Errors
    /// That of a store that fails.
    pub async fn answer(&self, call: CallDigest, id: ApprovalId, accepts: bool) -> Result<Standing, Problem> {
        let (storage, actor) = (self.oauth()?.storage(), self.actor());
        let about = (self.principal(), call);
        Ok(approval::answer(storage, self.context(&actor), about, id, accepts).await?)
    }

    /// Asks the person to approve a call of this tool for this company.
    ///
    /// # Errors
    /// [`AskError`], and that of a store that fails.
    pub async fn ask(
        &self,
        call: CallDigest,
        about: (AccountId, &str),
        shown: Vec<Shown>,
    ) -> Result<Result<Approval, AskError>, Problem> {
        let (storage, actor) = (self.oauth()?.storage(), self.actor());
        let asked = (self.principal(), call);
        match approval::ask(storage, self.context(&actor), asked, about, shown).await {
            Ok(approval) => Ok(Ok(approval)),
            Err(refused) => Ok(Err(refused.into_own()?)),
        }
    }

    /// Where its person decides.
    ///
    /// # Errors
    /// [`Problem::internal`] where there is no authorization server, which lets no assistant in.
    pub fn page_of(&self, approval: ApprovalId) -> Result<String, Problem> {
        Ok(format!("{}/approvals/{approval}", self.oauth()?.issuer()))
    }
}
