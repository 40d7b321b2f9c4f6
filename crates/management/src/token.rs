//! A job's token: how a worker proves that it knows it, and the key that fences the job's packets
//! (R-CTRL-8, R-PKT-3).

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use netfold_wire::Integrity;
use sha2::{Digest, Sha256};
use thiserror::Error;

use netfold_wire::IntegrityKind;

/// Bytes over which the switch asks a worker to prove its token; random, and another for each
/// connection.
pub type Challenge = [u8; 16];

/// HMAC-SHA-256 of a challenge under a token.
pub type Proof = [u8; 32];

const PROOF_DOMAIN: &[u8] = b"netfold join v1";
const DRAIN_DOMAIN: &[u8] = b"netfold drain v1";
const QUERY_DOMAIN: &[u8] = b"netfold query v1";
const KEY_DOMAIN: &[u8] = b"netfold token v1";
const QUERY_KEY_DOMAIN: &[u8] = b"netfold rows v1";

/// A secret that the workers of a job and the switch share. It never travels, and [`fmt::Debug`]
/// does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Vec<u8>);

/// A token that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TokenError {
    /// Nothing is left of it without the white space around it.
    #[error("the token is empty; make one with `openssl rand -hex 16`, or unset NETFOLD_TOKEN")]
    Empty,
}

impl Token {
    /// The token with this text, without the white space around it, so that a file's last line
    /// break does no harm.
    ///
    /// # Errors
    /// [`TokenError::Empty`] if there is nothing else.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        match text.trim() {
            "" => Err(TokenError::Empty),
            text => Ok(Self(text.as_bytes().to_vec())),
        }
    }

    /// Proves, to the switch that sent `challenge`, that this token is known.
    pub fn prove(&self, challenge: &Challenge) -> Proof {
        self.keyed(PROOF_DOMAIN, challenge).finalize().into_bytes().into()
    }

    /// Returns whether `proof` was made with this token over `challenge`. Takes the same time for
    /// every proof.
    pub fn accepts(&self, challenge: &Challenge, proof: &Proof) -> bool {
        self.keyed(PROOF_DOMAIN, challenge).verify_slice(proof).is_ok()
    }

    /// Proves that this token is known, to have the switch drained (R-CTRL-21). A worker's proof
    /// does not allow that.
    pub fn prove_for_drain(&self, challenge: &Challenge) -> Proof {
        self.keyed(DRAIN_DOMAIN, challenge).finalize().into_bytes().into()
    }

    /// Returns whether `proof` is one of [`prove_for_drain`](Self::prove_for_drain).
    pub fn allows_drain(&self, challenge: &Challenge, proof: &Proof) -> bool {
        self.keyed(DRAIN_DOMAIN, challenge).verify_slice(proof).is_ok()
    }

    /// Proves that this token is known, to have a query taken in (R-CTRL-24).
    pub fn prove_for_query(&self, challenge: &Challenge) -> Proof {
        self.keyed(QUERY_DOMAIN, challenge).finalize().into_bytes().into()
    }

    /// Returns whether `proof` is one of [`prove_for_query`](Self::prove_for_query).
    pub fn allows_query(&self, challenge: &Challenge, proof: &Proof) -> bool {
        self.keyed(QUERY_DOMAIN, challenge).verify_slice(proof).is_ok()
    }

    /// The key of the job's packets in one epoch of the job: the first 16 bytes of SHA-256 over a
    /// label, the token and the epoch.
    pub fn packet_key(&self, epoch: u32) -> [u8; 16] {
        key_of(KEY_DOMAIN, &self.0, epoch)
    }

    fn keyed(&self, domain: &[u8], challenge: &Challenge) -> Hmac<Sha256> {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(domain);
        mac.update(challenge);
        mac
    }
}

/// Returns the key of a query's packets in one epoch (R-CTRL-24): that of a switch without tokens
/// tells only the packets of one query from those of another.
pub(crate) fn query_key(token: Option<&Token>, epoch: u32) -> [u8; 16] {
    key_of(QUERY_KEY_DOMAIN, token.map_or(&[], |token| &token.0), epoch)
}

/// The first 16 bytes of SHA-256 over a label, a secret and an epoch.
fn key_of(label: &[u8], secret: &[u8], epoch: u32) -> [u8; 16] {
    let mut hash = Sha256::new();
    hash.update(label);
    hash.update(secret);
    hash.update(epoch.to_be_bytes());
    let digest: [u8; 32] = hash.finalize().into();
    let (key, _) = digest.split_first_chunk().expect("a SHA-256 digest is longer than 16 bytes");
    *key
}

/// Returns the integrity check of the packets of an epoch. The caller sees to it that integrity by
/// token has a token.
pub(crate) fn integrity(kind: IntegrityKind, token: Option<&Token>, epoch: u32) -> Integrity {
    match (kind, token) {
        (IntegrityKind::Token, Some(token)) => Integrity::Token(token.packet_key(epoch)),
        (IntegrityKind::Checksum, _) => Integrity::Checksum,
        (IntegrityKind::Transport | IntegrityKind::Token, _) => Integrity::Transport,
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected bytes were computed with Python's `hmac` and `hashlib`.
    #[test]
    fn proof_and_key_are_what_another_implementation_computes() {
        let token = Token::new(" secret\n").unwrap();
        assert_eq!(hex(&token.prove(&[7; 16])), PROOF);
        assert_eq!(hex(&token.prove_for_drain(&[7; 16])), DRAIN_PROOF);
        assert_eq!(hex(&token.packet_key(0x0102_0304)), KEY);
        assert_eq!(hex(&token.prove_for_query(&[7; 16])), QUERY_PROOF);
        assert_eq!(hex(&query_key(Some(&token), 0x0102_0304)), QUERY_KEY);
        assert_eq!(hex(&query_key(None, 0x0102_0304)), OPEN_QUERY_KEY);
    }

    const PROOF: &str = "58b971545f09f7c77874cb4fbf3530563811318ebec731629bbae6a6637b3f8c";
    const DRAIN_PROOF: &str = "a119e165832a0e99a553416e29264e7c3d997fcc0e479d5fb1f6b4d86096c820";
    const QUERY_PROOF: &str = "62ad5610e34cf5ade1e11c59973ec5d8c170dd1e78179dc5b5be78a95256cb6f";
    const QUERY_KEY: &str = "278f5f5df9ec885920191ac20a8bd2e5";
    const OPEN_QUERY_KEY: &str = "4f46705bc729d43caedebbcc1f598916";
    const KEY: &str = "cf51a366ced7a179126800915ea8f998";

    #[test]
    fn only_the_same_token_over_the_same_challenge_is_accepted() {
        let (token, other) = (Token::new("a").unwrap(), Token::new("b").unwrap());
        let proof = token.prove(&[1; 16]);
        assert!(token.accepts(&[1; 16], &proof));
        assert!(!token.accepts(&[2; 16], &proof));
        assert!(!other.accepts(&[1; 16], &proof));
    }

    #[test]
    fn a_proof_serves_one_purpose() {
        let (token, other) = (Token::new("a").unwrap(), Token::new("b").unwrap());
        let (join, drain) = (token.prove(&[1; 16]), token.prove_for_drain(&[1; 16]));
        let query = token.prove_for_query(&[1; 16]);
        assert!(token.allows_query(&[1; 16], &query) && !token.allows_query(&[2; 16], &query));
        assert!(!token.allows_query(&[1; 16], &join) && !token.accepts(&[1; 16], &query));
        assert!(!token.allows_query(&[1; 16], &drain) && !token.allows_drain(&[1; 16], &query));
        assert!(token.allows_drain(&[1; 16], &drain));
        assert!(!token.allows_drain(&[2; 16], &drain) && !other.allows_drain(&[1; 16], &drain));
        assert!(!token.allows_drain(&[1; 16], &join) && !token.accepts(&[1; 16], &drain));
    }

    #[test]
    fn each_epoch_has_its_own_key() {
        let token = Token::new("a").unwrap();
        assert_ne!(token.packet_key(1), token.packet_key(2));
    }

    #[test]
    fn an_empty_token_is_refused_and_no_token_is_shown() {
        assert_eq!(Token::new(" \n"), Err(TokenError::Empty));
        assert!(!format!("{:?}", Token::new("secret").unwrap()).contains("secret"));
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }
}
