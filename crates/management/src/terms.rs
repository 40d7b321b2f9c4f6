//! The terms of a job by their names, as messages and scenarios have them.

use std::fmt;
use std::str::FromStr;

use netfold_num::{Arithmetic, ByteOrder, ElementType, Overflow, Protocol};
use netfold_wire::{IntegrityKind, TableTerms, Terms};
use serde::{Deserialize, Serialize};

use crate::failure::{Refusal, quoted};

/// [`Terms`] by their names, which the peer may not know. A term that is not there is that of
/// [`Terms::new`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NamedTerms {
    /// Name of the arithmetic ([`netfold_num::Arithmetic`]).
    pub arithmetic: String,
    /// Name of the policy for sums that overflow ([`netfold_num::Overflow`]).
    pub overflow: String,
    /// Name of the order of a lane's bytes ([`netfold_num::ByteOrder`]).
    pub byte_order: String,
    /// Name of the protocol of slots ([`netfold_num::Protocol`]).
    pub protocol: String,
    /// Integrity check of packets (R-PKT-3).
    #[serde(with = "crate::named")]
    pub integrity: IntegrityKind,
    /// The job's part of a queue that it shares with others, 1 to [`MAX_WEIGHT`](crate::MAX_WEIGHT)
    /// (R-ECN-4).
    pub weight: u16,
    /// Ability to go on at another switch (R-RES-1).
    pub resumable: bool,
    /// Ability to go on without a worker that is lost (R-RES-8).
    pub elastic: bool,
    /// Table of the job (R-KEY-1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<NamedTable>,
}

/// The table of a job, as messages name it (R-KEY-1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedTable {
    /// Hot rows.
    pub rows: u32,
    /// Lanes of a row.
    pub width: u16,
    /// Name of the type of a lane ([`netfold_num::ElementType`]).
    pub element_type: String,
    /// Rows have values at the switch (R-KEY-12).
    pub resident: bool,
}

impl fmt::Display for NamedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, width, element_type, resident } = self;
        let kind = if *resident { "resident" } else { "drained" };
        write!(f, "{rows} {kind} rows of {width} {element_type}")
    }
}

impl Default for NamedTerms {
    fn default() -> Self {
        Terms::new(IntegrityKind::default()).into()
    }
}

impl From<Terms<IntegrityKind>> for NamedTerms {
    fn from(terms: Terms<IntegrityKind>) -> Self {
        let Terms {
            arithmetic,
            overflow,
            byte_order,
            protocol,
            integrity,
            weight,
            resumable,
            elastic,
            table,
        } = terms;
        Self {
            arithmetic: arithmetic.to_string(),
            overflow: overflow.to_string(),
            byte_order: byte_order.to_string(),
            protocol: protocol.to_string(),
            integrity,
            weight,
            resumable,
            elastic,
            table: table.map(|table| NamedTable {
                rows: table.rows,
                width: table.width,
                element_type: table.element_type.to_string(),
                resident: table.resident,
            }),
        }
    }
}

impl TryFrom<&NamedTerms> for Terms<IntegrityKind> {
    type Error = Refusal;

    /// Returns the terms.
    ///
    /// # Errors
    /// [`Refusal::BadValue`] for a name that stands for nothing, and for a policy for overflows of
    /// an arithmetic that has none (R-SLOT-11).
    fn try_from(terms: &NamedTerms) -> Result<Self, Refusal> {
        let arithmetic: Arithmetic =
            named("the arithmetic", &terms.arithmetic, &Arithmetic::ALL.map(Arithmetic::name))?;
        let what = "the policy for overflows";
        let overflow = named(what, &terms.overflow, &Overflow::ALL.map(Overflow::name))?;
        // R-SLOT-11
        if overflow != Overflow::Error && !arithmetic.has_registers() {
            let allowed = format!(
                "error, since {arithmetic} has no registers that overflow; fpisa and fpisa-a have"
            );
            return Err(Refusal::bad_value(what, overflow, allowed));
        }
        let what = "the byte order";
        let byte_order = named(what, &terms.byte_order, &ByteOrder::ALL.map(ByteOrder::name))?;
        let protocol = named("the protocol", &terms.protocol, &Protocol::ALL.map(Protocol::name))?;
        let table = terms.table.as_ref().map(TableTerms::try_from).transpose()?;
        let &NamedTerms { integrity, weight, resumable, elastic, .. } = terms;
        Ok(Self {
            arithmetic,
            overflow,
            byte_order,
            protocol,
            integrity,
            weight,
            resumable,
            elastic,
            table,
        })
    }
}

impl TryFrom<&NamedTable> for TableTerms {
    type Error = Refusal;

    /// Returns the table.
    ///
    /// # Errors
    /// [`Refusal::BadValue`] for a type that does not exist.
    fn try_from(table: &NamedTable) -> Result<Self, Refusal> {
        let &NamedTable { rows, width, ref element_type, resident } = table;
        let names = ElementType::ALL.map(ElementType::name);
        let element_type = named("the type of a table's rows", element_type, &names)?;
        Ok(Self { rows, width, element_type, resident })
    }
}

/// Parses a name, which is one of `names`.
fn named<T: FromStr>(what: &str, name: &str, names: &[&str]) -> Result<T, Refusal> {
    name.parse()
        .map_err(|_| Refusal::bad_value(what, quoted(name), format!("one of {}", names.join(", "))))
}

#[cfg(test)]
mod tests {
    use netfold_wire::VERSION;
    use serde_json::{Value, json};

    use super::*;
    use crate::registry::tests::{join, on};
    use crate::{Join, Message};

    /// A message that names every term, as peers have sent it since there were these terms.
    fn as_sent() -> Value {
        json!({
            "type": "join",
            "version": VERSION,
            "job": "a",
            "rank": 1,
            "size": 2,
            "arithmetic": "fpisa-a",
            "overflow": "native",
            "byte_order": "network",
            "protocol": "acked",
            "integrity": "checksum",
            "packet_elements": 64,
            "slots": 8, "asks_for_slots": false,
            "weight": 3,
            "max_datagram": 1472,
            "receive_buffer": 4_194_304,
            "udp_ports": [5001, 6001],
            "transport": null,
            "shares_memory": false,
            "host": null,
            "timeout_ms": 1000,
            "resumable": true,
            "elastic": true,
            "table": {"rows": 9, "width": 4, "element_type": "f32", "resident": true},
            "proof": null,
        })
    }

    fn received() -> Join {
        let join = Join { packet_elements: Some(64), slots: Some(8), ..join("a", 1, 2) };
        on(join, |terms| {
            *terms = NamedTerms {
                arithmetic: "fpisa-a".into(),
                overflow: "native".into(),
                byte_order: "network".into(),
                protocol: "acked".into(),
                integrity: IntegrityKind::Checksum,
                weight: 3,
                resumable: true,
                elastic: true,
                table: Some(NamedTable {
                    rows: 9,
                    width: 4,
                    element_type: "f32".into(),
                    resident: true,
                }),
            }
        })
    }

    /// The terms stand among the other members of a join, and not in an object of their own.
    #[test]
    fn a_join_has_its_terms_as_members() {
        let message = Message::Join(received().into());
        assert_eq!(serde_json::to_value(&message).unwrap(), as_sent());
        assert_eq!(serde_json::from_value::<Message>(as_sent()).unwrap(), message);
    }

    /// A peer from before a term was there does not name it, and has what was there then.
    #[test]
    fn terms_that_are_not_named_are_the_usual_ones() {
        let mut older = as_sent();
        let members = older.as_object_mut().unwrap();
        for term in ["overflow", "protocol", "weight", "resumable", "elastic", "table"] {
            members.remove(term).expect("the message has every term");
        }
        let Message::Join(join) = serde_json::from_value(older).unwrap() else { panic!() };
        let NamedTerms { arithmetic, byte_order, integrity, .. } = received().terms;
        let usual = NamedTerms { arithmetic, byte_order, integrity, ..NamedTerms::default() };
        assert_eq!(join.terms, usual);
        assert_eq!(Terms::try_from(&usual).unwrap().weight, 1);
    }

    /// Names come back as the terms that they stand for.
    #[test]
    fn names_stand_for_terms() {
        let terms = Terms::try_from(&received().terms).unwrap();
        assert_eq!(NamedTerms::from(terms), received().terms);
    }
}
