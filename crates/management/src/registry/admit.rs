//! The checks of a worker by itself, before it meets the others of its job.

use netfold_wire::{IntegrityKind, Terms, VERSION};

use super::job::TokenIndex;
use crate::failure::{Refusal, quoted};
use crate::limits::{Limits, MAX_NAME_BYTES, MAX_WEIGHT, Number, millis};
use crate::message::{Join, Transport};
use crate::negotiate::{MAX_ELEMENTS, MIN_ELEMENTS};
use crate::resume::{FlowRounds, MAX_RESUMABLE_SLOTS, Resume};
use crate::token::{Challenge, Token};

/// Checks that a join makes sense on this switch.
pub(super) fn check(join: &Join, limits: &Limits, shards: usize) -> Result<(), Refusal> {
    if join.version != VERSION {
        return Err(Refusal::Version { switch: VERSION, worker: join.version });
    }
    let name = &join.job;
    if name.is_empty() || name.len() > MAX_NAME_BYTES || name.chars().any(char::is_control) {
        let allowed = format!("1 to {MAX_NAME_BYTES} bytes without control characters");
        return Err(Refusal::bad_value("the name of a job", quoted(name), allowed));
    }
    if join.size == 0 {
        return Err(limits.refusal(Number::Size, join.size));
    }
    if join.size > limits.workers {
        return Err(Refusal::TooManyWorkers { asked: join.size, limit: limits.workers });
    }
    if join.rank >= join.size {
        return Err(Refusal::BadRank { rank: join.rank, size: join.size });
    }
    Terms::try_from(&join.terms)?;
    let fits = |asked: &u16| {
        (MIN_ELEMENTS..=MAX_ELEMENTS).contains(asked) && asked.is_multiple_of(MIN_ELEMENTS)
    };
    if let Some(asked) = join.packet_elements.filter(|asked| !fits(asked)) {
        return Err(limits.refusal(Number::PacketElements, asked));
    }
    if let Some(asked) =
        join.slots.filter(|&asked| !asked.is_power_of_two() || asked > limits.slots)
    {
        return Err(limits.refusal(Number::Slots, asked));
    }
    if !(1..=MAX_WEIGHT).contains(&join.terms.weight) {
        return Err(limits.refusal(Number::Weight, join.terms.weight));
    }
    let (shortest, longest) = (millis(limits.min_timeout), millis(limits.max_timeout));
    if !(shortest..=longest).contains(&join.timeout_ms) {
        return Err(limits.refusal(Number::Timeout, join.timeout_ms as f64 / 1e3));
    }
    let flows = match &join.resume {
        None => shards,
        Some(resume) => resumed(join, resume, shards)?,
    };
    if join.udp_ports.len() != flows || join.udp_ports.contains(&0) {
        let allowed = format!("{flows} ports above 0, one for each flow");
        return Err(Refusal::bad_value(
            "the list of UDP ports",
            format_args!("{} ports", join.udp_ports.len()),
            allowed,
        ));
    }
    Ok(())
}

/// R-OP-34: checks that a worker can be in a job whose operations keep state at the switch.
pub(super) fn state(join: &Join) -> Result<(), Refusal> {
    if join.terms.resumable || join.terms.elastic {
        return Err(Refusal::StateIsLost { rank: join.rank });
    }
    if join.transport == Some(Transport::Shm) {
        let allowed = "udp: operations of the job keep state, which is at the switch";
        return Err(Refusal::bad_value("the transport", "shm", allowed));
    }
    Ok(())
}

/// R-RES-3: checks that a worker can resume here, as far as the worker alone shows it. Returns the
/// number of flows of its job.
fn resumed(join: &Join, resume: &Resume, shards: usize) -> Result<usize, Refusal> {
    let flows = resume.flows.len();
    if flows == 0 || flows > shards {
        return Err(Refusal::FewerShards { flows, shards });
    }
    let slots: usize = resume.flows.iter().map(FlowRounds::slots).sum();
    let fixed = join.slots.is_some() && join.packet_elements.is_some();
    let goes_on = if resume.regroup.is_some() { join.terms.elastic } else { join.terms.resumable };
    if !goes_on || !fixed || slots > MAX_RESUMABLE_SLOTS as usize {
        let allowed =
            "that of a job with standby switches, or of an elastic one, with its packets and slots";
        return Err(Refusal::bad_value(
            "what a worker resumes",
            format_args!("{slots} slots"),
            allowed,
        ));
    }
    Ok(flows)
}

/// R-CTRL-8: returns the one of the switch's tokens that the worker has proven. A switch with
/// tokens serves only workers that know one.
pub(super) fn token(
    join: &Join,
    challenge: &Challenge,
    tokens: &[Token],
) -> Result<Option<TokenIndex>, Refusal> {
    let Some(proof) = &join.proof else {
        let needed = !tokens.is_empty() || join.terms.integrity == IntegrityKind::Token;
        return if needed { Err(Refusal::NoToken) } else { Ok(None) };
    };
    if tokens.is_empty() {
        return Err(Refusal::TokenNotExpected);
    }
    tokens
        .iter()
        .position(|token| token.accepts(challenge, proof))
        .map(Some)
        .ok_or(Refusal::WrongToken)
}
