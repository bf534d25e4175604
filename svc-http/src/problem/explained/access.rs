//! What went wrong with a credential or what it may do, and what to do.

pub(super) const TOKEN_IN_URL: (&str, &str) = (
    "The URL contains a token. URLs end up in logs and histories, so the token counts as known to others.",
    "Rotate or revoke the token, and send the new one in the header `Authorization: Bearer`.",
);
pub(super) const PERSONAL_DATA_FILTER: (&str, &str) = (
    "The request filters by a member that the token sees masked; the answers would tell its value.",
    "Use a token with the personal-data option, or filter by something else.",
);
pub(super) const TOKEN_MISSING: (&str, &str) = (
    "The request has no `Authorization` header, and the route takes no other credential that was sent.",
    "Send `Authorization: Bearer` with the token's value.",
);
pub(super) const TOKEN_INVALID: (&str, &str) = (
    "The credential is not of the Bearer scheme, has a typing error, is unknown or was replaced by a rotation.",
    "Compare the value with the one that was shown when the token was created or rotated; if it is lost, rotate the token.",
);
pub(super) const TOKEN_DISABLED: (&str, &str) = (
    "A holder or administrator switched the token off.",
    "Switch it on in the client area; its configuration is as before.",
);
pub(super) const TOKEN_REVOKED: (&str, &str) = (
    "The token was revoked, which is for ever; secret scanning revokes tokens that were found in public.",
    "Create another token.",
);
pub(super) const TOKEN_EXPIRED: (&str, &str) = (
    "The token's expiry date has passed.",
    "Create another token; the expiry date of a token cannot be moved.",
);
pub(super) const CREATOR_LOST_ROLE: (&str, &str) = (
    "The person who created the token is no longer holder or administrator of its primary account.",
    "Let a holder or administrator of the company create another token.",
);
pub(super) const SESSION_MISSING: (&str, &str) = (
    "The route is for signed-in people, and the request has no session cookie.",
    "Sign in with POST /session.",
);
pub(super) const SESSION_INVALID: (&str, &str) = (
    "The session has ended: signed out, idle for too long, at its end, or the password was changed elsewhere.",
    "Sign in again with POST /session.",
);
pub(super) const SIGNATURE_INVALID: (&str, &str) = (
    "The report has no signature, one that is older than five minutes, or one of other bytes or another key.",
    "Sign the exact body that is sent with the key that the operator gave you, and check the clock.",
);
pub(super) const SIGN_IN_FAILED: (&str, &str) = (
    "No person with this e-mail address and this password can sign in.",
    "Check both; the operator can set a new password.",
);
pub(super) const CODE_REJECTED: (&str, &str) = (
    "The code is of another time or of another device, or it was used before.",
    "Give the next code of the device, or a recovery code; the operator can remove a second factor.",
);
pub(super) const SECOND_FACTOR_STATE: (&str, &str) = (
    "The second factor is on already, or it is not on.",
    "Look at the page of the second factor, and act on what it says.",
);
pub(super) const HTTPS_REQUIRED: (&str, &str) = (
    "The request came in the clear, or by a proxy that the service does not know.",
    "Use https, and replace a token that was sent in the clear. Operators list their proxies in `trusted_proxies`.",
);
pub(super) const ACCOUNT_TOKEN_NOT_ACCEPTED: (&str, &str) = (
    "The route or the action belongs to the client area and takes no token.",
    "Do it signed in, in the client area.",
);
pub(super) const PERSONAL_DATA_WITHHELD: (&str, &str) = (
    "What is to be read, sent or imported is a file with personal data, which cannot be masked in it.",
    "Use a token with the personal-data option, or send a mail without files.",
);
pub(super) const MISSING_PERMISSION: (&str, &str) = (
    "No permission of the token covers what the request needs.",
    "Grant the token what `missing_permissions` lists, or use another token; `required_permission` is the route's.",
);
pub(super) const IP_NOT_ALLOWED: (&str, &str) = (
    "The token has a list of allowed addresses, and the request came from another one.",
    "Send from a listed address, or list the outbound address of your proxy or NAT.",
);
pub(super) const IP_RESTRICTED_TOKEN: (&str, &str) = (
    "The token has a list of allowed addresses; what an assistant calls comes from the service itself.",
    "Use a token without a list, or connect the assistant by OAuth.",
);
pub(super) const CSRF_REJECTED: (&str, &str) = (
    "The request changes something and has a session cookie, but not what only a page of this service knows.",
    "Send the `csrfToken` of GET /session in `X-CSRF-Token`, from a page of the service itself.",
);
pub(super) const ROLE_REQUIRED: (&str, &str) = (
    "The person is a member, but not a holder or administrator where the action needs one.",
    "Ask a holder or administrator to do it or to change the role.",
);
pub(super) const NOT_ADMINISTERED: (&str, &str) = (
    "The token reaches a company that the person neither holds nor administers.",
    "Let its creator change it. It can be switched off and revoked by each holder or administrator of its primary account.",
);
pub(super) const SUBSIDIARY_OUT_OF_REACH: (&str, &str) = (
    "The token does not name the group of the parent company whole, so it would not reach the company it makes.",
    "Put the parent into a group in the client area, and use a token that names the group in `groupIds`.",
);
pub(super) const TOKEN_ACTIVE: (&str, &str) =
    ("The token is switched on already.", "There is nothing to do.");
pub(super) const TOKEN_NOT_ACTIVE: (&str, &str) = (
    "The token is disabled, revoked or expired, as `currentState` tells, and the action needs another state.",
    "Switch a disabled token on first; create another one in the place of a revoked or expired one.",
);
pub(super) const TOKEN_IS_CONNECTION: (&str, &str) = (
    "A connection of an assistant has no value to rotate, and its role, company and addresses are fixed.",
    "Switch it off or revoke it; another role is another connection, made by connecting anew.",
);
pub(super) const API_ACCESS_OFF: (&str, &str) = (
    "The service switched API access off for a company that the token reaches.",
    "Leave that company out, or ask the service to switch access on.",
);
