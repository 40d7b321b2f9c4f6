//! The terms on which the workers of a job must agree, and the check of a worker against them
//! (R-CTRL-1, R-CTRL-3). The time that it takes does not depend on how many there are.

use super::job::{Job, Member, TokenIndex};
use crate::failure::Refusal;
use crate::limits::MAX_SHARING;
use crate::message::{Join, Transport};
use crate::negotiate::{MIN_ELEMENTS, fitting_elements};
use crate::operations::described;
use crate::resume::Resume;

/// A rank and its value.
type Of<T> = Option<(u16, T)>;

/// Preferences of some members, which others leave to the switch, and the means of the weakest.
#[derive(Clone, Copy, Default)]
pub(super) struct Preferences {
    packet_elements: Of<u16>,
    slots: Of<u16>,
    transport: Of<Transport>,
    /// The path that takes the shortest datagrams, and their bytes.
    narrowest: Of<u32>,
    /// One that does not reach the switch's memory.
    apart: Of<()>,
}

impl Preferences {
    fn and(self, join: &Join) -> Self {
        let narrower = |(_, bytes): &(u16, u32)| *bytes <= join.max_datagram;
        Self {
            packet_elements: self
                .packet_elements
                .or(join.packet_elements.map(|asked| (join.rank, asked))),
            slots: self.slots.or(join.slots.map(|asked| (join.rank, asked))),
            transport: self.transport.or(join.transport.map(|asked| (join.rank, asked))),
            narrowest: self.narrowest.filter(narrower).or(Some((join.rank, join.max_datagram))),
            apart: self.apart.or((!join.shares_memory).then_some((join.rank, ()))),
        }
    }

    /// Checks that the packets that someone has asked for (or the smallest ones) fit everyone's
    /// path.
    fn packets_fit(&self) -> Result<(), Refusal> {
        let asked = self.packet_elements.map_or(MIN_ELEMENTS, |(_, asked)| asked);
        match self.narrowest {
            Some((rank, max_datagram)) if fitting_elements(max_datagram) < asked => {
                Err(Refusal::PacketTooLarge {
                    asked,
                    fits: fitting_elements(max_datagram),
                    rank,
                    max_datagram,
                })
            }
            _ => Ok(()),
        }
    }

    /// R-CTRL-10: checks that all of `size` workers can have shared memory if one of them asks for
    /// it.
    fn memory_is_shared(&self, size: u16) -> Result<(), Refusal> {
        if self.transport.is_none_or(|(_, asked)| asked != Transport::Shm) {
            return Ok(());
        }
        if size > MAX_SHARING {
            let allowed = format!("at most {MAX_SHARING}; NETFOLD_TRANSPORT=udp takes more");
            return Err(Refusal::bad_value(
                "the number of workers that share memory",
                size,
                allowed,
            ));
        }
        self.apart.map_or(Ok(()), |(rank, ())| Err(Refusal::NoSharedMemory { rank }))
    }
}

impl Job {
    /// Takes a worker in if its rank is free and it agrees with those that are there (R-CTRL-1,
    /// R-CTRL-3).
    pub(super) fn add(&mut self, rank: u16, newcomer: Member) -> Result<(), Refusal> {
        if let Some(holder) = self.members.get(&rank) {
            return Err(Refusal::RankTaken {
                job: self.name.clone(),
                rank,
                by: holder.ip.to_string(),
            });
        }
        let gather = || {
            self.members
                .values()
                .fold(Preferences::default(), |preferences, member| preferences.and(&member.join))
        };
        let preferences = *self.preferences.get_or_insert_with(gather);
        self.agree(&preferences, &newcomer)?;
        let preferences = preferences.and(&newcomer.join);
        preferences.packets_fit()?;
        preferences.memory_is_shared(newcomer.join.size)?;
        self.preferences = Some(preferences);
        self.enter(rank, newcomer);
        Ok(())
    }

    /// R-CTRL-1: checks that a newcomer asks for the same as the members. A value that one of them
    /// leaves to the switch is no disagreement.
    fn agree(&self, preferences: &Preferences, newcomer: &Member) -> Result<(), Refusal> {
        let own = &newcomer.join;
        let token = |token: Option<TokenIndex>| match token {
            Some(index) => format!("the switch's token number {}", index + 1),
            None => "no token".to_owned(),
        };
        let goes_on = |join: &Join| match (join.terms.resumable, join.terms.elastic) {
            (false, false) => "none",
            (true, false) => "at another switch",
            (false, true) => "with fewer workers",
            (true, true) => "at another switch or with fewer workers",
        };
        let table = |join: &Join| {
            join.terms.table.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string)
        };
        // R-RES-3
        let epoch = |join: &Join| match &join.resume {
            Some(Resume { epoch, regroup: None, .. }) => format!("one that goes on ({epoch:08x})"),
            Some(Resume { epoch, regroup: Some(_), .. }) => {
                format!("one that goes on without a worker ({epoch:08x})")
            }
            None => "a new one".to_owned(),
        };
        // In these all members agree, so any of them speaks for all.
        let fixed = self.members.values().next().into_iter().flat_map(|member| {
            let other = &member.join;
            let rank = other.rank;
            [
                ("size", rank, other.size.to_string(), own.size.to_string()),
                ("arithmetic", rank, other.terms.arithmetic.clone(), own.terms.arithmetic.clone()),
                (
                    "policy for overflows",
                    rank,
                    other.terms.overflow.clone(),
                    own.terms.overflow.clone(),
                ),
                ("byte order", rank, other.terms.byte_order.clone(), own.terms.byte_order.clone()),
                ("protocol", rank, other.terms.protocol.clone(), own.terms.protocol.clone()),
                (
                    "integrity",
                    rank,
                    other.terms.integrity.to_string(),
                    own.terms.integrity.to_string(),
                ),
                ("token", rank, token(member.token), token(newcomer.token)),
                (
                    "time-out",
                    rank,
                    format!("{} ms", other.timeout_ms),
                    format!("{} ms", own.timeout_ms),
                ),
                ("weight", rank, other.terms.weight.to_string(), own.terms.weight.to_string()),
                (
                    "way of going on after a loss",
                    rank,
                    goes_on(other).to_owned(),
                    goes_on(own).to_owned(),
                ),
                ("table", rank, table(other), table(own)),
                (
                    "operations",
                    rank,
                    described(&member.operations),
                    described(&newcomer.operations),
                ),
                ("epoch", rank, epoch(other), epoch(own)),
            ]
        });
        let open = [
            wish("packet elements", preferences.packet_elements, own.packet_elements),
            wish("slots", preferences.slots, own.slots),
            wish("transport", preferences.transport, own.transport),
        ];
        match fixed
            .chain(open.into_iter().flatten())
            .find(|(.., value_a, value_b)| value_a != value_b)
        {
            Some((what, rank_a, value_a, value_b)) => {
                let (job, what) = (self.name.clone(), what.to_owned());
                Err(Refusal::Disagreement { job, what, rank_a, value_a, rank_b: own.rank, value_b })
            }
            None => Ok(()),
        }
    }
}

/// Returns the requests of two workers, if both ask for something: the name, the rank that came
/// first, and both values.
fn wish<T: ToString>(
    what: &'static str,
    theirs: Of<T>,
    own: Option<T>,
) -> Option<(&'static str, u16, String, String)> {
    theirs.zip(own).map(|((rank, theirs), own)| (what, rank, theirs.to_string(), own.to_string()))
}
