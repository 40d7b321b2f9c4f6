//! Programs of MPI's collectives: what each rank sends and receives, in which order, by the
//! algorithms of the public implementations.

use std::ops::Range;

use netfold_worker::Collective;
use serde::{Deserialize, Serialize};

/// An algorithm of a collective, by the name that the literature knows it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Algorithm {
    /// Pairs at distances 1, 2, 4 and so on exchange all that they have: all-reduce, all-gather;
    /// or ranks send it to those at these distances above them: scan.
    RecursiveDoubling,
    /// Pairs at halved distances exchange the half that is the other's: reduce-scatter.
    RecursiveHalving,
    /// A reduce-scatter by recursive halving, then an all-gather by recursive doubling: all-reduce.
    Rabenseifner,
    /// n - 1 steps to the right neighbour, twice in an all-reduce: all-reduce, all-gather,
    /// reduce-scatter.
    Ring,
    /// A binomial tree: broadcast, reduce, gather, scatter.
    Binomial,
    /// A binomial scatter, then an all-gather by recursive doubling (van de Geijn): broadcast.
    ScatterDoubling,
    /// The same with a ring: broadcast.
    ScatterRing,
    /// A chain of all ranks, through which the vector goes in segments: broadcast.
    Chain,
    /// Everyone at once, without an order: gather to the root, all-to-all.
    Linear,
    /// Distances 1, 2, 4 and so on, for any number of ranks: all-gather, all-to-all.
    Bruck,
    /// One step for each distance: all-to-all.
    Pairwise,
    /// A reduction to the root of a binary tree and a broadcast from there, in segments, side by
    /// side: all-reduce.
    Tree,
    /// The same with each half of the vector in a tree of its own. A rank that has children in one
    /// tree is a leaf of the other (Sanders, Speck and Träff, "Two-Tree Algorithms for Full
    /// Bandwidth Broadcast, Reduction and Scan", 2009; NCCL's double binary trees): all-reduce.
    DoubleTree,
}

/// A step of a rank. The steps of a strand are taken in order; a receive waits for its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A message with these chunks.
    Send { to: u16, tag: u16, chunks: Vec<u32> },
    /// The next message of this rank with this tag. Its chunks are added to those that are here, or
    /// take their place.
    Receive { from: u16, tag: u16, adds: bool },
}

impl Algorithm {
    /// The algorithms of a collective; those that have segments have one variant here.
    pub fn of(collective: Collective) -> &'static [Self] {
        match collective {
            Collective::AllReduce => &[
                Self::RecursiveDoubling,
                Self::Rabenseifner,
                Self::Ring,
                Self::Tree,
                Self::DoubleTree,
            ],
            Collective::Broadcast { .. } => {
                &[Self::Binomial, Self::ScatterDoubling, Self::ScatterRing, Self::Chain]
            }
            Collective::AllGather => &[Self::RecursiveDoubling, Self::Bruck, Self::Ring],
            Collective::Gather { .. } => &[Self::Binomial, Self::Linear],
            Collective::Reduce { .. } | Collective::Scatter { .. } => &[Self::Binomial],
            Collective::ReduceScatter => &[Self::RecursiveHalving, Self::Ring],
            Collective::Scan => &[Self::RecursiveDoubling],
            Collective::AllToAll => &[Self::Bruck, Self::Pairwise, Self::Linear],
            _ => &[],
        }
    }

    /// Returns whether so many ranks can carry out the collective by it.
    pub(crate) fn can(self, collective: Collective, workers: u16) -> bool {
        let doubles = match self {
            Self::RecursiveDoubling => collective != Collective::Scan,
            Self::RecursiveHalving | Self::Rabenseifner | Self::ScatterDoubling => true,
            Self::Ring
            | Self::Binomial
            | Self::ScatterRing
            | Self::Chain
            | Self::Linear
            | Self::Bruck
            | Self::Pairwise
            | Self::Tree
            | Self::DoubleTree => false,
        };
        Self::of(collective).contains(&self) && (!doubles || workers.is_power_of_two())
    }

    /// Chunks that the vectors of a collective are divided into.
    pub(crate) fn chunks(self, collective: Collective, workers: u16, segments: u32) -> u32 {
        let n = u32::from(workers);
        match (collective, self) {
            (Collective::AllReduce, Self::RecursiveDoubling)
            | (Collective::Reduce { .. } | Collective::Scan, _)
            | (Collective::Broadcast { .. }, Self::Binomial) => 1,
            (Collective::Broadcast { .. }, Self::Chain) | (Collective::AllReduce, Self::Tree) => {
                segments.max(1)
            }
            (Collective::AllReduce, Self::DoubleTree) => 2 * segments.max(1),
            (Collective::AllToAll, _) => n * n,
            _ => n,
        }
    }

    /// Returns whether a vector goes through it in segments.
    pub(crate) fn has_segments(self) -> bool {
        matches!(self, Self::Chain | Self::Tree | Self::DoubleTree)
    }

    /// The strands of a rank, each a sequence of steps that waits for none of the others. `has`
    /// tells the chunks of an all-to-all that are not empty: what is empty is not sent.
    pub(crate) fn strands(
        self,
        collective: Collective,
        (rank, workers): (u16, u16),
        segments: u32,
        has: impl Fn(u32) -> bool,
    ) -> Vec<Vec<Step>> {
        let (root, adds) = (collective.root().map_or(0, |root| root.0), false);
        let mut course =
            Course { rank: (rank + workers - root) % workers, workers, root, steps: Vec::new() };
        let n = u32::from(workers);
        let segments = segments.max(1);
        match (self, collective) {
            (Self::Tree, _) => return tree(rank, workers, 0..segments, 0).into(),
            (Self::DoubleTree, _) => {
                let (there, back) = other_tree(workers);
                let first = tree(rank, workers, 0..segments, 0);
                let other = tree(there(rank), workers, segments..2 * segments, 2);
                let other = other.map(|steps| renumbered(steps, &back));
                return first.into_iter().chain(other).collect();
            }
            (Self::RecursiveDoubling, Collective::AllReduce) => course.double_whole(),
            (Self::RecursiveDoubling, Collective::Scan) => course.scan(),
            (Self::RecursiveHalving, _) => course.halve(),
            (Self::Ring, Collective::ReduceScatter) => course.ring(n - 1, true),
            (Self::Binomial, Collective::Reduce { .. }) => course.gather(|_, _| vec![0], true),
            (Self::Binomial, Collective::Scatter { .. }) => {
                course.broadcast(|from, mask| (from..(from + mask).min(n)).collect());
            }
            (Self::Rabenseifner, _) => {
                course.halve();
                course.double();
            }
            (Self::Ring, Collective::AllReduce) => {
                course.ring(0, true);
                course.ring(1, adds);
            }
            (Self::Ring, _) => course.ring(0, adds),
            (Self::RecursiveDoubling, _) => course.double(),
            (Self::Binomial, Collective::Gather { .. }) => {
                course.gather(|from, mask| (from..(from + mask).min(n)).collect(), adds);
            }
            (Self::Binomial, _) => course.broadcast(|_, _| vec![0]),
            (Self::ScatterDoubling, _) => {
                course.broadcast(|from, mask| (from..(from + mask).min(n)).collect());
                course.double();
            }
            (Self::ScatterRing, _) => {
                course.broadcast(|from, mask| (from..(from + mask).min(n)).collect());
                course.ring(0, adds);
            }
            (Self::Chain, _) => course.chain(segments),
            (Self::Bruck, Collective::AllToAll) => course.forward(has),
            (Self::Bruck, _) => course.bruck(),
            (Self::Linear, Collective::Gather { .. }) => course.gather_linear(),
            (Self::Linear | Self::Pairwise, _) => course.all_to_all(self == Self::Pairwise, has),
        }
        vec![course.steps]
    }
}

/// The parent of a rank in a binary tree of all ranks in order, whose root is 0: one bit of rank
/// goes up a place with each level.
fn parent(rank: u16, workers: u16) -> Option<u16> {
    let bit = rank & rank.wrapping_neg();
    let above = (u32::from(rank ^ bit)) | (u32::from(bit) << 1);
    (rank > 0)
        .then(|| u16::try_from(above).ok().filter(|above| *above < workers).unwrap_or(rank ^ bit))
}

/// The ranks whose parent it is.
fn children(rank: u16, workers: u16) -> impl Iterator<Item = u16> {
    let distances = (0..u16::BITS).rev().map(|power| 1_u16 << power);
    distances
        .flat_map(move |distance| [rank.checked_sub(distance), rank.checked_add(distance)])
        .flatten()
        .filter(move |child| *child < workers && parent(*child, workers) == Some(rank))
}

/// The two strands of a rank in a tree that these chunks go through: up to the root, which sends
/// them down, and down. Messages have the tag on their way up, and the next one on their way down.
fn tree(rank: u16, workers: u16, chunks: Range<u32>, tag: u16) -> [Vec<Step>; 2] {
    let (mut up, mut down) = (Vec::new(), Vec::new());
    let above = parent(rank, workers);
    for chunk in chunks {
        let send = |to, tag| Step::Send { to, tag, chunks: vec![chunk] };
        up.extend(children(rank, workers).map(|from| Step::Receive { from, tag, adds: true }));
        up.extend(above.map(|to| send(to, tag)));
        down.extend(above.map(|from| Step::Receive { from, tag: tag + 1, adds: false }));
        let last = if above.is_some() { &mut down } else { &mut up };
        last.extend(children(rank, workers).map(|to| send(to, tag + 1)));
    }
    [up, down]
}

/// The number that a rank has in the second of two trees, and the reverse. Odd numbers are leaves:
/// with an even number of ranks the others are mirrored, with an odd one they are shifted.
fn other_tree(workers: u16) -> (impl Fn(u16) -> u16, impl Fn(u16) -> u16) {
    let is_even = workers.is_multiple_of(2);
    let moved = move |rank: u16, by: u16| {
        if is_even {
            workers - 1 - rank
        } else {
            ((u32::from(rank) + u32::from(by)) % u32::from(workers)) as u16
        }
    };
    (move |rank| moved(rank, workers - 1), move |rank| moved(rank, 1))
}

/// The same steps with other ranks.
fn renumbered(mut steps: Vec<Step>, of: impl Fn(u16) -> u16) -> Vec<Step> {
    for step in &mut steps {
        let (Step::Send { to: rank, .. } | Step::Receive { from: rank, .. }) = step;
        *rank = of(*rank);
    }
    steps
}

/// The steps of a rank as they are made. Ranks here count from the root, so that the root is 0, and
/// chunks with them, but for those of an all-to-all.
struct Course {
    rank: u16,
    workers: u16,
    root: u16,
    steps: Vec<Step>,
}

impl Course {
    fn absolute(&self, rank: u32) -> u16 {
        ((rank + u32::from(self.root)) % u32::from(self.workers)) as u16
    }

    fn send(&mut self, to: u32, chunks: Vec<u32>) {
        self.steps.push(Step::Send { to: self.absolute(to), tag: 0, chunks });
    }

    fn receive(&mut self, from: u32, adds: bool) {
        self.steps.push(Step::Receive { from: self.absolute(from), tag: 0, adds });
    }

    fn place(&self) -> (u32, u32) {
        (self.rank.into(), self.workers.into())
    }

    fn distances(&self) -> impl DoubleEndedIterator<Item = u32> + use<> {
        (0..u32::from(self.workers).ilog2()).map(|power| 1 << power)
    }

    fn double_whole(&mut self) {
        for distance in self.distances() {
            let partner = u32::from(self.rank) ^ distance;
            self.send(partner, vec![0]);
            self.receive(partner, true);
        }
    }

    /// An all-gather of chunks, one at each rank.
    fn double(&mut self) {
        for distance in self.distances() {
            let rank = u32::from(self.rank);
            let first = rank & !(distance - 1);
            self.send(rank ^ distance, (first..first + distance).collect());
            self.receive(rank ^ distance, false);
        }
    }

    /// A reduce-scatter of chunks, one to each rank.
    fn halve(&mut self) {
        let mut own: Range<u32> = 0..self.workers.into();
        for distance in self.distances().rev() {
            let rank = u32::from(self.rank);
            let middle = own.start + distance;
            let (kept, sent) = if rank & distance == 0 {
                (own.start..middle, middle..own.end)
            } else {
                (middle..own.end, own.start..middle)
            };
            self.send(rank ^ distance, sent.collect());
            self.receive(rank ^ distance, true);
            own = kept;
        }
    }

    /// n - 1 steps: chunk (rank + first - step) goes to the right.
    fn ring(&mut self, first: u32, adds: bool) {
        let (rank, n) = self.place();
        for step in 0..n - 1 {
            self.send((rank + 1) % n, vec![(rank + first + n - step) % n]);
            self.receive((rank + n - 1) % n, adds);
        }
    }

    /// A binomial tree from the root; `chunks` has those for the ranks from one on, so many.
    fn broadcast(&mut self, chunks: impl Fn(u32, u32) -> Vec<u32>) {
        let (rank, n) = self.place();
        let below = if rank == 0 { n.next_power_of_two() } else { rank & rank.wrapping_neg() };
        if rank > 0 {
            self.receive(rank - below, false);
        }
        let mut mask = below / 2;
        while mask > 0 {
            if rank + mask < n {
                self.send(rank + mask, chunks(rank + mask, mask));
            }
            mask /= 2;
        }
    }

    fn chain(&mut self, segments: u32) {
        let (rank, n) = self.place();
        for segment in 0..segments {
            if rank > 0 {
                self.receive(rank - 1, false);
            }
            if rank + 1 < n {
                self.send(rank + 1, vec![segment]);
            }
        }
    }

    /// A binomial tree to the root; `chunks` has those that a rank sends for the ranks from one on,
    /// so many.
    fn gather(&mut self, chunks: impl Fn(u32, u32) -> Vec<u32>, adds: bool) {
        let (rank, n) = self.place();
        let mut mask = 1;
        while mask < n {
            if rank & mask != 0 {
                return self.send(rank - mask, chunks(rank, mask));
            }
            if rank + mask < n {
                self.receive(rank + mask, adds);
            }
            mask *= 2;
        }
    }

    /// A rank has the sum of the ranks at smaller distances below it, and of its own.
    fn scan(&mut self) {
        let (rank, n) = self.place();
        let mut distance = 1;
        while distance < n {
            if rank + distance < n {
                self.send(rank + distance, vec![0]);
            }
            if rank >= distance {
                self.receive(rank - distance, true);
            }
            distance *= 2;
        }
    }

    fn gather_linear(&mut self) {
        let (rank, n) = self.place();
        if rank > 0 {
            return self.send(0, vec![rank]);
        }
        for from in 1..n {
            self.receive(from, false);
        }
    }

    fn bruck(&mut self) {
        let (rank, n) = self.place();
        let mut distance = 1;
        while distance < n {
            let count = distance.min(n - distance);
            let chunks = (0..count).map(|chunk| (rank + chunk) % n).collect();
            self.send((rank + n - distance) % n, chunks);
            self.receive((rank + distance) % n, false);
            distance *= 2;
        }
    }

    /// A chunk goes to its rank by way of others: over each power of two in its distance, the
    /// smallest first, together with all others that have that power in theirs.
    fn forward(&mut self, has: impl Fn(u32) -> bool) {
        let (rank, n) = self.place();
        let mut power = 1;
        while power < n {
            let passed_on_by = |rank: u32| -> Vec<u32> {
                let distances = (1..n).filter(|distance| distance & power != 0);
                distances
                    .map(|distance| ((rank + n - distance % power) % n, distance))
                    .map(|(from, distance)| from * n + (from + distance) % n)
                    .filter(|chunk| has(*chunk))
                    .collect()
            };
            let (before, chunks) = ((rank + n - power) % n, passed_on_by(rank));
            let comes = !passed_on_by(before).is_empty();
            if !chunks.is_empty() {
                self.send((rank + power) % n, chunks);
            }
            if comes {
                self.receive(before, false);
            }
            power *= 2;
        }
    }

    fn all_to_all(&mut self, in_steps: bool, has: impl Fn(u32) -> bool) {
        let (rank, n) = self.place();
        let mut receives = Vec::new();
        for distance in 1..n {
            let (to, from) = ((rank + distance) % n, (rank + n - distance) % n);
            if has(rank * n + to) {
                self.send(to, vec![rank * n + to]);
            }
            if !has(from * n + rank) {
                continue;
            }
            if in_steps {
                self.receive(from, false);
            } else {
                receives.push(from);
            }
        }
        for from in receives {
            self.receive(from, false);
        }
    }
}
