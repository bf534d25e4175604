//! The certificate that signed files are sealed with.

use std::path::Path;

use secrecy::zeroize::Zeroizing;
use svc_pades::{PlatformSealer, SealerRefused};

use crate::config::PemFiles;
use crate::failure::Failure;

/// Reads the certificate with its key. Who changes the files starts the server again.
pub(crate) fn read(files: &PemFiles) -> Result<PlatformSealer, Failure> {
    let file = |path: &Path| {
        std::fs::read(path).map(Zeroizing::new).map_err(|error| {
            Failure::caused("seal_files_unreadable", &format!("{} cannot be read", path.display()), &error)
                .hint("check SVC_SEAL__CERT and SVC_SEAL__KEY, and that this user may read both files")
        })
    };
    let (chain, key) = (file(&files.cert)?, file(&files.key)?);
    PlatformSealer::from_pem(&chain, &key).map_err(|refused| {
        let of_key = matches!(refused, SealerRefused::NoKey | SealerRefused::OtherKey(_));
        let path = if of_key { &files.key } else { &files.cert };
        let refused = format!("{} cannot be used to seal signed files: {refused}", path.display());
        Failure::usage("seal_files_refused", refused).hint(
            "SVC_SEAL__CERT is the PEM file of a certificate for signatures with those that vouch for it, the own one first; \
             SVC_SEAL__KEY that of its key",
        )
    })
}
