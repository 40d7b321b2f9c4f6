//! Replays as they travel: those of the most slots fit a message beside the rest of a welcome.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::resume::Replay;

/// The replays of a flow, slot by slot, in columns of numbers that are small.
#[derive(Serialize, Deserialize)]
struct Columns {
    flow: u16,
    /// The greatest round.
    latest: u64,
    /// Difference between each slot's number and the one before.
    slots: Vec<u16>,
    /// Difference between the greatest round and each round.
    behind: Vec<u64>,
    sources: Vec<u16>,
}

/// By flow and slot, as [`replays`](crate::replays) gives them.
pub(crate) fn serialize<S: Serializer>(
    replays: &[Replay],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let flows = replays.chunk_by(|one, next| one.flow == next.flow);
    let columns = flows.map(|of_flow| {
        let latest = of_flow.iter().map(|replay| replay.round).max().unwrap_or(0);
        let before = std::iter::once(0).chain(of_flow.iter().map(|replay| replay.slot));
        Columns {
            flow: of_flow[0].flow,
            latest,
            slots: of_flow
                .iter()
                .zip(before)
                .map(|(replay, before)| replay.slot.wrapping_sub(before))
                .collect(),
            behind: of_flow.iter().map(|replay| latest - replay.round).collect(),
            sources: of_flow.iter().map(|replay| replay.source).collect(),
        }
    });
    serializer.collect_seq(columns)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Replay>, D::Error> {
    let flows: Vec<Columns> = Vec::deserialize(deserializer)?;
    let of_flow = |Columns { flow, latest, slots, behind, sources }| {
        let mut slot = 0u16;
        let replay = move |((more, behind), source): ((u16, u64), u16)| {
            slot = slot.wrapping_add(more);
            Replay { flow, slot, round: u64::saturating_sub(latest, behind), source }
        };
        slots.into_iter().zip(behind).zip(sources).map(replay)
    };
    Ok(flows.into_iter().flat_map(of_flow).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{MAX_FRAME_BYTES, MAX_RESUMABLE_SLOTS};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Carrier(#[serde(with = "super")] Vec<Replay>);

    proptest! {
        #[test]
        fn replays_arrive_as_they_were(
            places in prop::collection::btree_map((0..3u16, any::<u16>()), (any::<u64>(), any::<u16>()), 0..40),
        ) {
            let replay = |((flow, slot), (round, source))| Replay { flow, slot, round, source };
            let sent = Carrier(places.into_iter().map(replay).collect());
            let text = serde_json::to_string(&sent).unwrap();
            prop_assert_eq!(serde_json::from_str::<Carrier>(&text).unwrap(), sent);
        }
    }

    /// As far apart as slots can be that wait for one another, of the highest ranks; beside them
    /// the ranks of all workers below a switch.
    #[test]
    fn the_most_replays_fit_a_message() {
        let most = MAX_RESUMABLE_SLOTS as u16;
        let round = |slot: u16| 4 * (1 << 40) + 4 * u64::from(slot.reverse_bits());
        let replays = (0..most).map(|slot| Replay {
            flow: 0,
            slot,
            round: round(slot),
            source: 32_766 - slot % 2,
        });
        let text = serde_json::to_string(&Carrier(replays.collect())).unwrap();
        let ranks = serde_json::to_string(&(0..32_767).collect::<Vec<u16>>()).unwrap();
        assert!(
            text.len() + ranks.len() < MAX_FRAME_BYTES - 65_536,
            "{} + {}",
            text.len(),
            ranks.len()
        );
    }
}
