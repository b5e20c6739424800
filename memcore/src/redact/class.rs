//! The names of what is found: each is the key of a policy and the word inside a `[redacted:…]` marker.

/// Keys of cloud and software services, recognised by their shape or by the name they are assigned to.
pub const API_KEY: &str = "api-key";
/// Bearer credentials of a session: JSON web tokens, `Authorization` headers, values introduced as a token.
pub const TOKEN: &str = "token";
/// Passwords, PINs, one-time codes and the password part of a URL.
pub const PASSWORD: &str = "password";
/// PEM and PGP private-key blocks.
pub const PRIVATE_KEY: &str = "private-key";
/// What the user wrapped in `<private>…</private>`.
pub const PRIVATE: &str = "private";
/// Payment card numbers of 13 to 19 digits with a valid check digit.
pub const BANK_CARD: &str = "bank-card";
/// International bank account numbers (IBAN).
pub const BANK_ACCOUNT: &str = "bank-account";
/// Resident identity numbers of mainland China and social security numbers of the United States.
pub const ID_NUMBER: &str = "id-number";
/// Passport and travel-permit numbers that are introduced as such.
pub const PASSPORT: &str = "passport";
/// Unified social credit codes (统一社会信用代码) of Chinese organisations.
pub const COMPANY_CODE: &str = "company-code";
/// Mobile numbers of mainland China and international numbers written with a plus sign.
pub const PHONE: &str = "phone";
/// E-mail addresses; allowed unless the policy says otherwise.
pub const EMAIL: &str = "email";

/// Every class, in the order of precedence where two findings overlap: the most telling name first.
pub const ALL: [&str; 12] = [
    PRIVATE,
    PRIVATE_KEY,
    API_KEY,
    TOKEN,
    PASSWORD,
    ID_NUMBER,
    BANK_CARD,
    BANK_ACCOUNT,
    PASSPORT,
    COMPANY_CODE,
    PHONE,
    EMAIL,
];
