//! Bodies of single actions.

use serde::de::DeserializeOwned;

use super::Member;

/// A body that [`wire_request!`](crate::wire_request) declares.
pub trait Request: DeserializeOwned {
    /// Members of the resource that the service computes: naming one is refused as such.
    const READ_ONLY: &'static [&'static [&'static str]];
    /// Members that only the request which creates the resource may have.
    const FIXED: &'static [&'static str];
    /// What it may have.
    const MEMBERS: &'static [Member];
}

/// Declares the body of one action: the type, serde for it in `camelCase` with unknown members refused, and
/// its schema.
///
/// A member is `name: Type => Form,` below its documentation. It must be there, unless its type is an
/// `Option` or it has `#[serde(default)]`; `[kept]` says that null does not clear it. The body of a request
/// that is `of` a resource refuses the members that the service computes by that name, and those in
/// `computed [..]` and `fixed [..]`.
///
/// The calling crate needs `serde`.
///
/// ```
/// use svc_core::wire::{Described, Form, Parts};
///
/// svc_core::wire_request! {
///     /// Where to put a book.
///     #[derive(Debug)]
///     pub struct Move as "BookMove" {
///         /// The shelf.
///         shelf_name: String => Form::text(1, 100).example("Poems"),
///         #[serde(default)]
///         dry_run: bool,
///     }
/// }
///
/// let body: Move = serde_json::from_str(r#"{"shelfName": "Poems"}"#).unwrap();
/// assert_eq!((body.shelf_name.as_str(), body.dry_run), ("Poems", false));
/// let mut parts = Parts::default();
/// Move::schema(&mut parts);
/// assert_eq!(parts.into_schemas()["BookMove"]["required"], serde_json::json!(["shelfName"]));
/// ```
#[macro_export]
macro_rules! wire_request {
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),+)])?
        $vis:vis struct $name:ident as $wire:literal
            $(of $resource:ident)? $(computed [$($computed:ident),+ $(,)?])? $(fixed [$($fixed:ident),+ $(,)?])?
        {
            $(
                $(#[doc = $member_about:literal])*
                $(#[serde($default:ident)])?
                $member_vis:vis $([$absence:ident])? $member:ident $(as $member_wire:literal)?: $type:ty $(=> $form:expr)?
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive($($($derive,)+)? ::serde::Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        $vis struct $name {
            $(
                $(#[doc = $member_about])*
                $(#[serde($default)])?
                $(#[serde(rename = $member_wire)])?
                $member_vis $member: $type
            ),+
        }

        impl $crate::wire::Request for $name {
            const READ_ONLY: &'static [&'static [&'static str]] = &[
                $({ let _ = stringify!($resource); &$crate::wire::COMPUTED },)?
                &[$($(stringify!($computed)),+)?],
            ];
            const FIXED: &'static [&'static str] = &[$($(stringify!($fixed)),+)?];
            const MEMBERS: &'static [$crate::wire::Member] = &[$($crate::__wire_member!(
                [$($member_about)*] [$($absence)?] {!<[&str]>::is_empty(&[$(stringify!($default))?])}
                $member [$($member_wire)?] [$type] [$($form)?]
            )),+];
        }

        impl $crate::wire::Described for $name {
            fn schema(parts: &mut $crate::wire::Parts) -> $crate::__serde_json::Value {
                parts.named::<Self>($wire, |parts| {
                    let object = $crate::wire::Object { about: &[$($about),*], closed: true };
                    let members = <Self as $crate::wire::Request>::MEMBERS;
                    object.schema(members, |member| member.required, parts)
                })
            }
        }
    };
}
