//! What clients read.

/// Declares what an answer shows: the type, serde for it in `camelCase`, and its schema.
///
/// A member is `name: Type => Form,` below its documentation. It is always there, as null where its type is
/// an `Option` without a value; `[optional]` says that it is left out then, by an attribute of serde, and
/// `[flat]` that its own members stand in its place.
///
/// The calling crate needs `serde`.
///
/// ```
/// use svc_core::wire::{Described, Form, Parts};
///
/// svc_core::wire_view! {
///     /// A book.
///     #[derive(Debug)]
///     pub struct BookView as "Book" {
///         title: String,
///         /// When it was printed.
///         printed_at: Option<String> => Form::DATE,
///     }
/// }
///
/// let view = BookView { title: "Odes".to_owned(), printed_at: None };
/// assert_eq!(serde_json::to_string(&view).unwrap(), r#"{"title":"Odes","printedAt":null}"#);
/// let mut parts = Parts::default();
/// BookView::schema(&mut parts);
/// assert_eq!(parts.into_schemas()["Book"]["required"], serde_json::json!(["title", "printedAt"]));
/// ```
#[macro_export]
macro_rules! wire_view {
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),+)])?
        $(#[expect($($expect:tt)+)])?
        $vis:vis struct $name:ident $(<$life:lifetime>)? as $wire:literal {
            $(
                $(#[doc = $member_about:literal])*
                $(#[serde($($serde:tt)+)])*
                $member_vis:vis $([$absence:ident])? $member:ident $(as $member_wire:literal)?: $type:ty $(=> $form:expr)?
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive($($($derive,)+)? ::serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        $(#[expect($($expect)+)])?
        $vis struct $name $(<$life>)? {
            $(
                $(#[doc = $member_about])*
                $(#[serde($($serde)+)])*
                $(#[serde(rename = $member_wire)])?
                $member_vis $member: $type
            ),+
        }

        impl $(<$life>)? $crate::wire::Described for $name $(<$life>)? {
            fn schema(parts: &mut $crate::wire::Parts) -> $crate::__serde_json::Value {
                parts.named::<Self>($wire, |parts| {
                    let members = const { [$($crate::__wire_member!(
                        [$($member_about)*] [$($absence)?] {false} $member [$($member_wire)?] [$type] [$($form)?]
                    )),+] };
                    let object = $crate::wire::Object { about: &[$($about),*], closed: false };
                    let always = |member: &$crate::wire::Member| {
                        member.absence != $crate::wire::Absence::Optional
                    };
                    object.schema(&members, always, parts)
                })
            }
        }
    };
}
