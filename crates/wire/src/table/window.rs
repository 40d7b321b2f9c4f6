//! Windows: which pushes of a worker a switch has taken (R-KEY-3, R-KEY-9).

use super::WINDOW;

/// A worker's window: register i has the last push q with q mod W = i that was taken.
pub type Window = [u32; WINDOW as usize];

/// The window of a worker of which nothing was taken: register i has the number before i.
pub const FRESH_WINDOW: Window = {
    let mut window = [0; WINDOW as usize];
    let mut index = 0;
    while index < WINDOW {
        window[index as usize] = index.wrapping_sub(WINDOW);
        index += 1;
    }
    window
};

/// Returns whether a window has a push: it was taken before the window was read.
pub const fn has_push(window: &Window, push: u32) -> bool {
    !is_newer(push, window[(push % WINDOW) as usize])
}

/// Returns the number of the first push that a window does not have: it has all that come before.
/// `registers` are those that the worker uses, all W but in a search; at least one.
///
/// # Panics
/// If there is no register.
pub fn pushes_in(registers: &[u32]) -> u32 {
    // A register's next push is W after its last.
    let next = registers.iter().map(|last| last.wrapping_add(WINDOW));
    next.reduce(|one, other| if is_newer(one, other) { other } else { one })
        .expect("a window has registers")
}

/// Returns whether a push comes after another, in serial-number order modulo 2^32 (R-KEY-3).
pub const fn is_newer(number: u32, than: u32) -> bool {
    number.wrapping_sub(than) as i32 > 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against the set of all pushes that were taken. A push is sent when the one W before it
        /// was acknowledged (R-KEY-3), in any order otherwise, and numbers wrap.
        #[test]
        fn a_window_has_what_was_taken(
            first in prop_oneof![Just(0_u32), Just(u32::MAX - 700)],
            choices in prop::collection::vec(0..WINDOW, 0..600),
        ) {
            let mut window: Window = core::array::from_fn(|index| {
                let ahead = (index as u32).wrapping_sub(first) % WINDOW;
                first.wrapping_add(ahead).wrapping_sub(WINDOW)
            });
            // Counted from the first.
            let mut taken = [false; 900];
            let first_of = |taken: &[bool], from: u32| {
                (from..).find(|push| !taken[*push as usize]).expect("fewer are taken")
            };
            for choice in choices {
                // The pushes that may be under way are less than W behind the first gap.
                let gap = first_of(&taken, 0);
                let push = first_of(&taken, gap + choice);
                let push = if push < gap + WINDOW { push } else { gap };
                taken[push as usize] = true;
                let number = first.wrapping_add(push);
                window[(number % WINDOW) as usize] = number;
            }
            let gap = first_of(&taken, 0);
            prop_assert_eq!(pushes_in(&window), first.wrapping_add(gap));
            for (push, taken) in (0..).zip(taken).take_while(|(push, _)| *push < gap + WINDOW) {
                prop_assert_eq!(has_push(&window, first.wrapping_add(push)), taken);
            }
        }
    }
}
