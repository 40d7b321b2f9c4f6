//! Which operations a switch takes.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use netfold_switch::OperationPolicy;
use sha2::Sha256;
use thiserror::Error;

use crate::refused::Refused;

/// Least bytes of a key.
const LEAST_KEY: usize = 16;

/// HMAC-SHA-256 of a module's bytes.
pub type Signature = [u8; 32];

/// The operations that a switch takes (R-OP-22).
#[derive(Clone, Debug)]
pub enum Policy {
    /// None.
    None,
    /// Those with a signature of this key.
    Signed(Key),
    /// All.
    Any,
}

/// A policy that lacks what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PolicyError {
    /// Nobody has said under which key.
    #[error("signed operations need the key of the signatures")]
    NoKey,
    /// The key is too short.
    #[error(transparent)]
    Short(#[from] ShortKey),
}

impl Policy {
    /// Returns the policy of this name, with the text of the key for signed operations.
    ///
    /// # Errors
    /// [`PolicyError`], if operations must be signed.
    pub fn named(name: OperationPolicy, key: Option<&str>) -> Result<Self, PolicyError> {
        Ok(match name {
            OperationPolicy::None => Self::None,
            OperationPolicy::Any => Self::Any,
            OperationPolicy::Signed => Self::Signed(Key::new(key.ok_or(PolicyError::NoKey)?)?),
        })
    }

    /// Decides about a module.
    ///
    /// # Errors
    /// [`Refused::Policy`] or [`Refused::Unsigned`]
    pub fn admit(&self, module: &[u8], signature: Option<&Signature>) -> Result<(), Refused> {
        match (self, signature) {
            (Self::Any, _) => Ok(()),
            (Self::None, _) => Err(Refused::Policy),
            (Self::Signed(key), Some(signature)) if key.signed(module, signature) => Ok(()),
            (Self::Signed(_), _) => Err(Refused::Unsigned),
        }
    }
}

/// A secret that signs operations. [`fmt::Debug`] does not show it.
#[derive(Clone)]
pub struct Key(Vec<u8>);

/// A key that is too short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a key that signs operations has at least {LEAST_KEY} bytes; make one with `openssl rand -hex 16`"
)]
pub struct ShortKey;

impl Key {
    /// The key with this text, without the white space around it.
    ///
    /// # Errors
    /// [`ShortKey`]
    pub fn new(text: &str) -> Result<Self, ShortKey> {
        let key = text.trim();
        if key.len() < LEAST_KEY { Err(ShortKey) } else { Ok(Self(key.into())) }
    }

    /// Signs a module.
    pub fn sign(&self, module: &[u8]) -> Signature {
        self.over(module).finalize().into_bytes().into()
    }

    /// Returns whether a signature is this key's. Takes the same time for every signature.
    fn signed(&self, module: &[u8], signature: &Signature) -> bool {
        self.over(module).verify_slice(signature).is_ok()
    }

    fn over(&self, module: &[u8]) -> Hmac<Sha256> {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(b"netfold operation v1");
        mac.update(module);
        mac
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Key {
        Key::new(text).unwrap()
    }

    #[test]
    fn a_policy_that_asks_for_signatures_needs_their_key() {
        use OperationPolicy::{Any, None as Nothing, Signed};
        for key in [None, Some("short")] {
            assert!(matches!(Policy::named(Any, key), Ok(Policy::Any)));
            assert!(matches!(Policy::named(Nothing, key), Ok(Policy::None)));
        }
        assert_eq!(Policy::named(Signed, None).unwrap_err(), PolicyError::NoKey);
        let short = Policy::named(Signed, Some("short")).unwrap_err();
        assert_eq!(short, PolicyError::Short(ShortKey));
        let signed = Policy::named(Signed, Some("0123456789abcdef")).unwrap();
        let signature = key("0123456789abcdef").sign(b"module");
        assert_eq!(signed.admit(b"module", Some(&signature)), Ok(()));
    }

    #[test]
    fn a_policy_takes_what_it_says() {
        let module = b"module";
        let (own, other) = (key("0123456789abcdef"), key("fedcba9876543210"));
        let signature = own.sign(module);
        assert_eq!(Policy::Any.admit(module, None), Ok(()));
        assert_eq!(Policy::None.admit(module, Some(&signature)), Err(Refused::Policy));
        let signed = Policy::Signed(own);
        assert_eq!(signed.admit(module, Some(&signature)), Ok(()));
        assert_eq!(signed.admit(module, None), Err(Refused::Unsigned));
        assert_eq!(signed.admit(b"modulf", Some(&signature)), Err(Refused::Unsigned));
        assert_eq!(signed.admit(module, Some(&other.sign(module))), Err(Refused::Unsigned));
    }

    /// The expected bytes were computed with Python's `hmac` and `hashlib`.
    #[test]
    fn a_signature_is_what_another_implementation_computes() {
        let signature = key(" 0123456789abcdef\n").sign(b"module");
        let hex: String = signature.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, EXPECTED);
    }

    const EXPECTED: &str = "5fef21460cf5a914ba1c09bb21b48d01208a688c88c24d7f5ac3c189853a6c01";

    #[test]
    fn a_key_is_not_short_and_not_shown() {
        assert_eq!(Key::new(" 0123456789abcde ").unwrap_err(), ShortKey);
        assert_eq!(format!("{:?}", key("0123456789abcdef")), "Key(..)");
    }
}
