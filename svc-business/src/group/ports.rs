//! Where groups are kept.

use svc_core::resource::{Erase, ResourceReader, ResourceStore};

use crate::group::Group;

/// Reads groups. A scope reaches a group when it reaches one of its companies; members out of scope are left
/// out.
pub trait GroupReader: ResourceReader<Group> {}

impl<S: ResourceReader<Group>> GroupReader for S {}

/// Changes groups.
///
/// # Implementing this port
/// Caches compare the authority's version: every change of a group moves it. The
/// contract suite is `svc_testkit::business_storage_contract!`.
pub trait GroupStore: GroupReader + ResourceStore<Group> + Erase<Group> {}

impl<S: ResourceStore<Group> + Erase<Group>> GroupStore for S {}
