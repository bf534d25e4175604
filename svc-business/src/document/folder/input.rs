//! What a client writes of a folder.

use std::collections::BTreeMap;

use svc_core::id::FolderId;
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::wire_patch;

use crate::party::form;

wire_patch! {
    /// A folder of a company's files, as a client writes it.
    pub struct FolderInput as "Folder" in company {
        /// What people call it: a name that a file may have, once within its parent whatever its case.
        [always] name: Patch<String> => Form::text(1, 255).example("Facturas 2025"),
        /// The folder that it is in, of the same company; none at the top. Ten folders may be within one another.
        parent as "parentId": Patch<FolderId>,
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
    }
}
