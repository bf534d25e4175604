//! Each store does what every store does.

use crate::Scene;

mod folder {
    use std::future::{Ready, ready};

    use super::Scene;

    fn make() -> Ready<Scene> {
        ready(Scene::new())
    }

    svc_testkit::content_store_contract! { make: make }
}

mod bucket {
    use std::future::{Ready, ready};

    use crate::storage::S3;

    #[tokio::test]
    async fn a_store_in_a_bucket_does_what_every_store_does() {
        if S3::is_there() {
            // The cases share the server of this one.
            let _first = S3::empty();
            all().await;
        }
    }

    fn make() -> Ready<S3> {
        ready(S3::empty())
    }

    svc_testkit::content_store_contract! { all: make }
}
