//! Looking for what another thread does, before sleeping until it has: a mini-batch may take less than a sleep and its end.
//!
//! Where every thread has a core of its own, looking is quickest. Where threads share cores it takes time from the one that is waited for, so a thread looks less often while that has been in
//! vain, and more often again when it has not. It does not lend its core in between: where others want it, that costs whole slices of time, and who sleeps is back as soon as it is woken.

/// How often a thread looks at most: some tens of microseconds.
const MOST: u32 = 2000;
/// How often it looks at least, so that it finds out when looking pays again.
const LEAST: u32 = 16;

/// How often a thread looks before it sleeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looks(u32);

impl Looks {
    /// To begin with, as often as may be.
    pub(crate) fn new() -> Self {
        Self(MOST)
    }

    /// Whether it is there, now or soon.
    pub(crate) fn find(&mut self, is_there: impl Fn() -> bool) -> bool {
        for look in 0..self.0 {
            if is_there() {
                // What was there at once says nothing.
                if look > 0 {
                    self.0 = (2 * self.0).min(MOST);
                }
                return true;
            }
            std::hint::spin_loop();
        }
        self.0 = (self.0 / 2).max(LEAST);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn who_looks_in_vain_looks_less() {
        let mut looks = Looks::new();
        let seen = Cell::new(0);
        for _ in 0..20 {
            assert!(!looks.find(|| false));
        }
        let never = || {
            seen.set(seen.get() + 1);
            false
        };
        assert!(!looks.find(never));
        assert_eq!(seen.get(), LEAST);
        assert!(looks.find(|| true));
        assert_eq!(looks.0, LEAST);
        for _ in 0..20 {
            let count = Cell::new(0);
            assert!(looks.find(|| count.replace(count.get() + 1) == 3));
        }
        assert_eq!(looks.0, MOST);
    }
}
