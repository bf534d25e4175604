//! What a unit can put off, or do together with others.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr};

use crate::statement::Insertion;

/// A connection that may put insertions off, and read before it begins.
#[async_trait]
pub(crate) trait DeferInsert: ConnectionTrait + Sized {
    /// Runs an insertion, now or together with what comes: before the next statement that is not put
    /// off too, and before the commit.
    ///
    /// It fails as late as that. So it is for an insertion that is not expected to fail and whose answer
    /// is not needed. What is put off together is one statement in the end, whose parts do not see each
    /// other's rows and have no order among themselves; rows of one table keep theirs.
    async fn defer(&self, insertion: Insertion) -> Result<(), DbErr> {
        insertion.run(self).await.map(drop)
    }

    /// Where it may read what is committed, as it has changed and locked nothing yet; `None` when it reads by
    /// itself.
    fn reads(&self) -> Option<&DatabaseConnection> {
        None
    }
}

/// Outside a unit of work nothing is put off.
impl DeferInsert for DatabaseConnection {}
