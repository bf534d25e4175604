//! Merge patches: what a client writes of a resource, on its creation and later.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Absence, Described, Form, Member, Object, Parts};
use crate::id::AccountId;

/// Members of every resource that no client writes.
pub const COMPUTED: [&str; 6] = ["id", "object", "version", "createdAt", "updatedAt", "mergedIntoId"];

/// A merge patch that [`wire_patch!`](crate::wire_patch) declares.
pub trait MergePatch: Default + DeserializeOwned {
    /// The resource: `Contact`.
    const NAME: &'static str;
    /// What it is.
    const ABOUT: &'static [&'static str];
    /// Whether its creation names the company that it goes to, with `companyId`.
    const IN_COMPANY: bool;
    /// What a client may write.
    const MEMBERS: &'static [Member];
    /// Members of the resource, beside [`COMPUTED`], that the service computes.
    const COMPUTED: &'static [&'static str];
}

/// What a patch is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// To create the resource: a patch of nothing.
    Create,
    /// To change it.
    Update,
}

impl Verb {
    /// The members that a client may write.
    pub fn members<T: MergePatch>(self) -> impl Iterator<Item = &'static Member> {
        let home = (self == Self::Create && T::IN_COMPANY).then_some(&HOME);
        let written = move |member: &&Member| self == Self::Update || member.absence != Absence::OnUpdate;
        home.into_iter().chain(T::MEMBERS.iter().filter(written))
    }

    /// The members that the service computes or keeps.
    #[must_use]
    pub fn read_only<T: MergePatch>(self) -> Vec<String> {
        let home = (self == Self::Update || !T::IN_COMPANY).then_some("companyId");
        let computed = COMPUTED.iter().chain(T::COMPUTED).copied().chain(home).map(str::to_owned);
        let later = T::MEMBERS.iter().filter(|member| member.absence == Absence::OnUpdate);
        let later = later.filter(|_| self == Self::Create).map(Member::wire_name);
        computed.chain(later).collect()
    }
}

/// The schema of the patch, for its creation or its change.
#[must_use]
pub fn patch_schema<T: MergePatch>(verb: Verb, parts: &mut Parts) -> Value {
    let needed = |member: &Member| verb == Verb::Create && member.absence == Absence::NeededOnCreate;
    Object { about: T::ABOUT, closed: true }.schema(verb.members::<T>(), needed, parts)
}

/// Where a new resource of a company goes to.
const HOME: Member = Member {
    name: "company_id",
    wire: None,
    about: &["The company that it goes to; the token's primary account when left out."],
    absence: Absence::Typed,
    required: false,
    schema: AccountId::schema,
    form: Form::ANY,
};

/// Declares what a client writes of a resource: a type whose members are all optional, serde for it in
/// `camelCase`, its schemas for creation and change, and which members the service computes.
///
/// A member is `name: Type => Form,` below its documentation, `name as "wireName"` where both differ in more
/// than case, and after one of these words where it is special: `[needed]` on creation, `[always]` when
/// it cannot be cleared either, `[kept]` when it cannot be cleared, `[update]` when only a change has it. `in company` says that a new one may name its company.
///
/// The calling crate needs `serde`.
///
/// ```
/// use svc_core::patch::Patch;
/// use svc_core::wire::{Form, MergePatch, Verb};
///
/// svc_core::wire_patch! {
///     /// A shelf.
///     pub struct ShelfInput as "Shelf" in company computed [bookCount] {
///         /// How it is called.
///         [always] name: Patch<String> => Form::text(1, 100),
///         /// Where it stands.
///         room as "roomNumber": Patch<i64> => Form::range(1, 99),
///     }
/// }
///
/// let patch: ShelfInput = serde_json::from_str(r#"{"roomNumber": null}"#).unwrap();
/// assert_eq!(patch, ShelfInput { room: Patch::Null, ..ShelfInput::default() });
/// assert!(Verb::Update.read_only::<ShelfInput>().contains(&"bookCount".to_owned()));
/// ```
#[macro_export]
macro_rules! wire_patch {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident as $wire:literal $(in $company:ident)? $(computed [$($computed:ident),+ $(,)?])? {
            $(
                $(#[doc = $member_about:literal])*
                $([$absence:ident])? $member:ident $(as $member_wire:literal)?: $type:ty $(=> $form:expr)?
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, ::serde::Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
        pub struct $name {
            $(
                $(#[doc = $member_about])*
                $(#[serde(rename = $member_wire)])?
                pub $member: $type
            ),+
        }

        impl $crate::wire::MergePatch for $name {
            const NAME: &'static str = $wire;
            const ABOUT: &'static [&'static str] = &[$($about),*];
            const IN_COMPANY: bool = !<[&str]>::is_empty(&[$(stringify!($company))?]);
            const MEMBERS: &'static [$crate::wire::Member] = &[
                $($crate::__wire_member!(
                    [$($member_about)*] [$($absence)?] {true} $member [$($member_wire)?] [$type] [$($form)?]
                )),+
            ];
            const COMPUTED: &'static [&'static str] = &[$($(stringify!($computed)),+)?];
        }

        /// As a part of another input.
        impl $crate::wire::Described for $name {
            fn schema(parts: &mut $crate::wire::Parts) -> $crate::__serde_json::Value {
                parts.named::<Self>(concat!($wire, "Input"), |parts| {
                    $crate::wire::patch_schema::<Self>($crate::wire::Verb::Update, parts)
                })
            }
        }
    };
}
