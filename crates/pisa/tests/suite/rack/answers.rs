//! The answers to the packets of a comparison.

use netfold_wire::{Direction, Packet, Repr};

use super::Received;
use super::traffic::Traffic;
use crate::dice::Dice;

/// The number of answers of each sort.
#[derive(Debug, Default)]
pub struct Answers {
    /// Results that a worker has taken.
    pub taken: usize,
    recalls: usize,
    empty_results: usize,
    to_one: usize,
    silence: usize,
    pub most_passes: u32,
}

impl Answers {
    /// The answers to a packet that took so many passes reach their workers, unless they are lost.
    pub fn deliver(
        &mut self,
        answers: Vec<Received>,
        passes: u32,
        jobs: &mut [Traffic],
        dice: &mut Dice,
    ) {
        self.silence += usize::from(answers.is_empty());
        self.to_one += usize::from(answers.len() == 1);
        self.most_passes = self.most_passes.max(passes);
        for (number, worker, bytes) in answers {
            let repr = Repr::parse(&Packet::new_checked(&bytes).unwrap());
            self.recalls += usize::from(matches!(repr.direction, Direction::Recall(_)));
            self.empty_results +=
                usize::from(repr.empty && matches!(repr.direction, Direction::Result(_)));
            if dice.below(100) < 70 {
                let job = jobs.iter_mut().find(|job| job.shape.job == number).unwrap();
                self.taken += usize::from(job.take(worker, &bytes));
            }
        }
    }

    /// Returns whether there were more than `count` of every sort.
    pub fn all_above(&self, count: usize) -> bool {
        let each = [self.taken, self.recalls, self.empty_results, self.to_one, self.silence];
        each.iter().all(|sort| *sort > count)
    }
}
