//! However bytes are split, they are the same.

use proptest::prelude::*;
use svc_core::content::{Content, Digest};
use svc_testkit::content::read;
use tokio::runtime::Builder;

use crate::{Scene, company};

/// Bytes over the edges of what is written and read at once.
fn contents() -> impl Strategy<Value = Vec<u8>> {
    (any::<u8>(), prop_oneof![0..2_000_usize, 262_100..262_200_usize, 0..900_000_usize]).prop_map(
        |(first, size)| {
            std::iter::successors(Some(first), |byte| Some(byte.wrapping_mul(5).wrapping_add(3)))
                .take(size)
                .collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn however_bytes_are_split_they_are_one_content_and_ranges_are_slices_of_it(
        bytes in contents(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..9),
        ranges in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 1..5),
    ) {
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let scene = Scene::new();
            let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let mut upload = scene.begin(company(), bytes.len() as u64).await.expect("begun");
            for cut in cuts.windows(2) {
                upload.write(&bytes[cut[0]..cut[1]]).await.expect("written");
            }
            let content = upload.finish().await.expect("stored");
            let expected = Content { digest: Digest::of(&bytes), size: bytes.len() as u64 };
            prop_assert_eq!(content, expected);
            prop_assert!(read(&*scene, company(), content.digest, None).await.expect("read") == bytes);
            for range in ranges {
                let [one, other] = range.map(|at| at.index(bytes.len() + 1));
                let (start, end) = (one.min(other), one.max(other));
                let range = Some(start as u64..end as u64);
                let found = read(&*scene, company(), content.digest, range).await.expect("read");
                prop_assert!(found == bytes[start..end], "{}..{}", start, end);
            }
            Ok(())
        })?;
    }
}
