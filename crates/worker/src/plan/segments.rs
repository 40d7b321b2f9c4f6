//! The order of a call's blocks (R-STREAM-4, R-STREAM-13).

use std::sync::Arc;

use super::lengths::Parts;
use crate::call::Collective;

/// Blocks of one segment that follow each other, where the segments of a group take turns
/// (R-STREAM-13).
const TURN: u64 = 8;

/// The place of a block: its segment, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The group of the segment.
    pub(super) group: u16,
    /// The segment's number in the group.
    pub(super) member: u16,
    /// The block's number in the segment.
    pub(super) block: u64,
}

/// Segments of a call in groups, one after the other. The segments of a group take turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segments {
    /// Each segment has so many blocks.
    Even {
        /// Groups.
        groups: u16,
        /// Segments of each group.
        members: u16,
        /// Blocks of each segment.
        blocks: u64,
    },
    /// They have numbers of blocks of their own.
    Uneven(Arc<[Group]>),
}

/// A group of segments whose numbers of blocks differ.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Number of the group's first block in the call.
    start: u64,
    /// Segments by their numbers of blocks, the longest first, and those numbers.
    longest_first: Vec<(u16, u64)>,
    /// Sums of the numbers of blocks of the last 0, 1, 2, ... of them.
    sums: Vec<u64>,
}

impl Segments {
    /// The segments of a call without elements (R-STREAM-7).
    pub(super) const ONE_BLOCK: Self = Self::Even { groups: 1, members: 1, blocks: 1 };

    /// Returns the segments of a call of `workers` with these parts, in blocks of `lanes`.
    pub(super) fn new(collective: Collective, workers: u16, parts: &Parts, lanes: u16) -> Self {
        let (groups, members) = shape(collective, workers);
        let lanes = u64::from(lanes);
        if let Parts::Even(elements) = parts {
            return Self::Even { groups, members, blocks: elements.div_ceil(lanes) };
        }
        let mut start = 0;
        let of_group = |group| {
            let blocks = |member| {
                let (from, to) = ends(collective, workers, group, member);
                parts.elements(from, to).div_ceil(lanes)
            };
            let group = Group::new(start, (0..members).map(|member| (member, blocks(member))));
            start = group.end();
            group
        };
        Self::Uneven((0..groups).map(of_group).collect())
    }

    /// Returns the segments of an exchange, one for each group, with parts as long as these, in
    /// blocks of `lanes` (R-STREAM-16).
    pub(super) fn of_exchange(longest: &[u64], lanes: u16) -> Self {
        let mut start = 0;
        let of_group = |length: &u64| {
            let group = Group::new(start, std::iter::once((0, length.div_ceil(lanes.into()))));
            start = group.end();
            group
        };
        Self::Uneven(longest.iter().map(of_group).collect())
    }

    /// Returns the number of elements of all segments of a call with these parts; `None` if it does
    /// not fit 64 bits.
    pub(super) fn elements(collective: Collective, workers: u16, parts: &Parts) -> Option<u64> {
        let (groups, members) = shape(collective, workers);
        if let Parts::Even(elements) = parts {
            return (u64::from(groups) * u64::from(members)).checked_mul(*elements);
        }
        let segments =
            (0..groups).flat_map(|group| (0..members).map(move |member| (group, member)));
        let elements = segments.map(|(group, member)| {
            let (from, to) = ends(collective, workers, group, member);
            parts.elements(from, to)
        });
        Some(elements.sum())
    }

    /// Returns the number of blocks of all segments.
    #[inline]
    pub(super) fn blocks(&self) -> u64 {
        match self {
            Self::Even { groups, members, blocks } => {
                u64::from(*groups) * u64::from(*members) * blocks
            }
            Self::Uneven(groups) => groups.last().map_or(0, Group::end),
        }
    }

    /// Returns the place of block `index` of the call, which has more blocks than that.
    #[inline]
    pub(super) fn place(&self, index: u64) -> Place {
        match *self {
            Self::Even { members: 1, blocks, .. } => {
                Place { group: (index / blocks) as u16, member: 0, block: index % blocks }
            }
            Self::Even { members, blocks, .. } => {
                let in_group = u64::from(members) * blocks;
                let (group, index) = (index / in_group, index % in_group);
                let (round, at) = in_round(index, members, blocks);
                let turn = TURN.min(blocks - round * TURN);
                let (member, block) = ((at / turn) as u16, round * TURN + at % turn);
                Place { group: group as u16, member, block }
            }
            Self::Uneven(ref groups) => {
                let group = groups.partition_point(|group| group.start <= index) - 1;
                // Groups without blocks begin where the next one does.
                groups[group].place(group as u16, index)
            }
        }
    }
}

/// Returns the round of turns of a block in a group of segments of equal length, and its place in
/// the round.
fn in_round(index: u64, members: u16, blocks: u64) -> (u64, u64) {
    let in_round = u64::from(members) * TURN;
    let round = (index / in_round).min(blocks / TURN);
    (round, index - round * in_round)
}

impl Group {
    fn new(start: u64, segments: impl Iterator<Item = (u16, u64)>) -> Self {
        let mut longest_first: Vec<_> = segments.collect();
        longest_first.sort_by_key(|(member, blocks)| (u64::MAX - blocks, *member));
        let shortest_first = longest_first.iter().rev().map(|(_, blocks)| *blocks);
        let mut sums = vec![0];
        for blocks in shortest_first {
            sums.push(sums[sums.len() - 1] + blocks);
        }
        Self { start, longest_first, sums }
    }

    /// Returns the number of the call's next block after the group.
    fn end(&self) -> u64 {
        self.start + self.sums[self.sums.len() - 1]
    }

    /// Returns how many blocks come before the round of turns `round`.
    fn before(&self, round: u64) -> u64 {
        let most = round.saturating_mul(TURN);
        let longer = self.longer_than(most);
        self.sums[self.sums.len() - 1 - longer] + longer as u64 * most
    }

    /// Returns how many segments have more blocks than `most`.
    fn longer_than(&self, most: u64) -> usize {
        self.longest_first.partition_point(|(_, blocks)| *blocks > most)
    }

    /// Returns the place of the call's block `index`, which is one of this group.
    fn place(&self, group: u16, index: u64) -> Place {
        let index = index - self.start;
        // The last round that begins at the block, or before it.
        let (mut round, mut end) = (0, self.longest_first[0].1.div_ceil(TURN));
        while round + 1 < end {
            let middle = round + (end - round) / 2;
            if self.before(middle) <= index { round = middle } else { end = middle }
        }
        let (first, at) = (round * TURN, index - self.before(round));
        let whole = self.longer_than(first + TURN - 1);
        if at < whole as u64 * TURN {
            let (member, _) = self.longest_first[(at / TURN) as usize];
            return Place { group, member, block: first + at % TURN };
        }
        let mut at = at - whole as u64 * TURN;
        for &(member, blocks) in &self.longest_first[whole..] {
            if at < blocks - first {
                return Place { group, member, block: first + at };
            }
            at -= blocks - first;
        }
        unreachable!("the group has block {index}")
    }
}

/// Returns the groups of a collective's segments, and the segments of each.
fn shape(collective: Collective, workers: u16) -> (u16, u16) {
    match collective {
        Collective::AllGather | Collective::ReduceScatter | Collective::Prefixes => (workers, 1),
        Collective::ScanTotal => (workers.max(2) - 1, 1),
        Collective::Gather { .. }
        | Collective::Scatter { .. }
        | Collective::Scan
        | Collective::ExScan => (workers - 1, 1),
        Collective::AllToAll => (workers - 1, workers),
        _ => (1, 1),
    }
}

/// Returns the rank whose part a segment is; of an all-to-all, the ranks from and to which it goes.
#[inline]
pub(super) fn ends(
    collective: Collective,
    workers: u16,
    group: u16,
    member: u16,
) -> (u16, Option<u16>) {
    match collective {
        Collective::Gather { root } | Collective::Scatter { root } => {
            (group + u16::from(group >= root.0), None)
        }
        Collective::Scan | Collective::ExScan => (group + 1, None),
        Collective::ScanTotal => (group + u16::from(workers > 1), None),
        Collective::AllToAll => (member, Some((member + group + 1) % workers)),
        _ => (group, None),
    }
}
