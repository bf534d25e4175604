//! Every route of the site, read from where the site lists them, so that none is left out of a matrix.

const SITE: &str = include_str!("../../src/site.rs");

/// What is open to who has a link.
const LINKED: [&str; 4] = ["/sign/", "/invitation/", "/room/", "/uploads/"];

/// Who may open it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    Anyone,
    /// Who has the link: of a person that is asked to sign or was invited, of a guest, or for an upload.
    Linked,
    /// Who has a link that resets a password; those of the matrix are dead.
    Reset,
    /// To whom the link of an invitation was sent, signed in.
    Answering,
    Person,
    /// Whose assistant asks for an approval.
    Asked,
    /// To whom an invitation was made.
    Invited,
    Member,
    /// Whose role reads and changes the data of the company.
    Data,
    /// Who holds or administers a company of the group.
    InGroup,
    /// Who holds or administers a company at all.
    Organiser,
    Administrator,
    Developer,
}

/// A route of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) posts: bool,
    pub(crate) path: &'static str,
}

impl Route {
    pub(crate) fn open_to(self) -> Open {
        match self.path {
            "/sign-in" | "/sign-in/code" | "/preferences" | "/forgotten" => Open::Anyone,
            "/invitation/{link}/accept" => Open::Answering,
            path if LINKED.iter().any(|start| path.starts_with(start)) => Open::Linked,
            path if path.starts_with("/reset/") => Open::Reset,
            "/groups/{id}" => Open::InGroup,
            path if path.starts_with("/groups/{id}/") => Open::InGroup,
            "/groups/new" => Open::Organiser,
            "/" | "/groups" | "/companies" | "/password" | "/sign-out" | "/approvals" => Open::Person,
            "/approvals/{id}" => Open::Asked,
            path if path.starts_with("/sessions")
                || path.starts_with("/connections")
                || path.starts_with("/second-factor")
                || path.starts_with("/oauth") =>
            {
                Open::Person
            }
            "/companies/{company}" => Open::Member,
            "/companies/{company}/data" => Open::Data,
            "/companies/{company}/deactivate" | "/companies/{company}/reactivate" => Open::Administrator,
            path if path.starts_with("/invitations/") => Open::Invited,
            path if ["/members", "/data-room", "/audit-log"].iter().any(|part| path.contains(part)) => {
                Open::Administrator
            }
            _ => Open::Developer,
        }
    }
}

pub(crate) fn routes() -> Vec<Route> {
    let route = |line: &'static str| {
        let line = line.trim();
        let (posts, rest) = match (line.strip_prefix(".get(\""), line.strip_prefix(".post(\"")) {
            (Some(rest), _) => (false, rest),
            (None, Some(rest)) => (true, rest),
            (None, None) => return None,
        };
        Some(Route { posts, path: rest.split('"').next().unwrap() })
    };
    let routes: Vec<Route> = SITE.lines().filter_map(route).collect();
    assert!(routes.len() > 30, "{routes:?}");
    routes
}
