//! A limit on log lines that strangers can cause: anyone that reaches a switch's port can connect
//! to it as often as it likes.

/// Lines in a period.
const LINES: u32 = 10;

/// Length of a period.
const PERIOD_US: u64 = 10_000_000;

/// Lines that may be logged, and those that were left out.
#[derive(Debug, Default)]
pub struct Quota {
    period: Option<Period>,
}

#[derive(Debug)]
struct Period {
    end_us: u64,
    lines: u32,
    omitted: u64,
}

impl Quota {
    /// Returns whether a line may be logged at `now_us`. One that may not is counted.
    pub fn allows(&mut self, now_us: u64) -> bool {
        self.period.take_if(|period| period.omitted == 0 && period.end_us <= now_us);
        let new = || Period { end_us: now_us.saturating_add(PERIOD_US), lines: 0, omitted: 0 };
        let period = self.period.get_or_insert_with(new);
        let allowed = period.lines < LINES;
        if allowed {
            period.lines += 1;
        } else {
            period.omitted += 1;
        }
        allowed
    }

    /// Returns the time at which [`expire`](Self::expire) has something to tell.
    pub fn poll_timeout(&self) -> Option<u64> {
        self.period.as_ref().filter(|period| period.omitted > 0).map(|period| period.end_us)
    }

    /// Ends a period that is over at `now_us`. Returns how many lines it has left out, if any.
    pub fn expire(&mut self, now_us: u64) -> Option<u64> {
        let ended = self.period.take_if(|period| period.end_us <= now_us)?;
        (ended.omitted > 0).then_some(ended.omitted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_the_limit_of_a_period_is_counted() {
        let mut quota = Quota::default();
        assert!(quota.allows(5_000_000));
        assert_eq!(quota.poll_timeout(), None, "nothing was left out");
        let allowed = (1..1_000).filter(|&line| quota.allows(5_000_000 + line)).count();
        assert_eq!(allowed, 9);
        assert_eq!(quota.poll_timeout(), Some(15_000_000));
        assert_eq!(quota.expire(14_999_999), None, "the period goes on");
        assert_eq!(quota.expire(15_000_000), Some(990));
        assert!(quota.allows(15_000_000), "another period");
        assert_eq!(quota.expire(25_000_000), None, "nothing was left out");
        assert_eq!(quota.poll_timeout(), None);
    }
}
