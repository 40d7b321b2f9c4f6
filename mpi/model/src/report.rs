//! The report at the end of a program: where its collectives went (R-MPI-12).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::fold::Refusal;
use crate::kind::{Form, Kind};

/// The calls that a line of the report counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// The collective.
    pub kind: Kind,
    /// The form of its calls.
    pub form: Form,
    /// Size class of one rank's bytes ([`size_class`]).
    pub size: u8,
    /// The reason for which the host carried them out; `None` if netfold did.
    pub refusal: Option<Refusal>,
}

/// Returns the class of a length: 0 for none, else 1 more than the power of two that it reaches.
pub const fn size_class(bytes: u64) -> u8 {
    (u64::BITS - bytes.leading_zeros()) as u8
}

/// Calls and their time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Calls.
    pub calls: u64,
    /// Nanoseconds in all of them.
    pub nanoseconds: u64,
}

/// Calls of one rank, by class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    classes: BTreeMap<Class, Tally>,
}

/// Numbers of a class and its tally, as ranks tell each other.
pub type Line = [u64; 6];

impl Report {
    /// Counts a call.
    pub fn count(&mut self, class: Class, nanoseconds: u64) {
        let tally = self.classes.entry(class).or_default();
        tally.calls += 1;
        tally.nanoseconds += nanoseconds;
    }

    /// Returns it as numbers.
    pub fn lines(&self) -> Vec<Line> {
        let line = |(class, tally): (&Class, &Tally)| {
            let refusal = class.refusal.map_or(0, |refusal| refusal as u64 + 1);
            let (kind, form) = (class.kind as u64, class.form as u64);
            [kind, form, class.size.into(), refusal, tally.calls, tally.nanoseconds]
        };
        self.classes.iter().map(line).collect()
    }

    /// Adds what another rank has counted; numbers that are no class are passed over.
    pub fn add(&mut self, lines: &[Line]) {
        for [kind, form, size, refusal, calls, nanoseconds] in lines {
            let kind = Kind::ALL.get(*kind as usize).zip(Form::ALL.get(*form as usize));
            let refusal = match refusal {
                0 => Some(None),
                number => Refusal::ALL.get(*number as usize - 1).map(|of| Some(*of)),
            };
            let size = u8::try_from(*size);
            if let (Some((kind, form)), Some(refusal), Ok(size)) = (kind, refusal, size) {
                let class = Class { kind: *kind, form: *form, size, refusal };
                let tally = self.classes.entry(class).or_default();
                tally.calls += calls;
                tally.nanoseconds += nanoseconds;
            }
        }
    }

    /// Returns whether no call was counted.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Returns the report on so many ranks, as text.
    pub fn text(&self, ranks: u16) -> String {
        let mut text = format!("netfold: collectives of {ranks} ranks, counted at each of them\n");
        let heads = ["collective", "bytes", "by", "calls", "mean us", "host us", "reason"];
        let _ = writeln!(
            text,
            "  {:<21}{:>15}  {:<8}{:>10}{:>11}{:>11}  {}",
            heads[0], heads[1], heads[2], heads[3], heads[4], heads[5], heads[6]
        );
        for (class, tally) in &self.classes {
            let sampled = Class { refusal: Some(Refusal::Sampled), ..*class };
            let of_host = class.refusal.is_none().then(|| self.classes.get(&sampled)).flatten();
            let of_host = of_host.map_or_else(|| "-".into(), |tally| micros(*tally));
            let by = if class.refusal.is_none() { "netfold" } else { "host" };
            let reason = class.refusal.map_or("", Refusal::reason);
            let line = format!(
                "  {:<21}{:>15}  {by:<8}{:>10}{:>11}{of_host:>11}  {reason}",
                class.form.name(class.kind),
                sizes(class.size),
                tally.calls,
                micros(*tally),
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

/// Writes the mean in microseconds.
fn micros(tally: Tally) -> String {
    format!("{:.1}", tally.nanoseconds as f64 / 1e3 / tally.calls.max(1) as f64)
}

/// Writes the lengths of a size class.
fn sizes(class: u8) -> String {
    match class {
        0 => "0".into(),
        1 => "1".into(),
        class => {
            let from = 1_u128 << (class - 1);
            format!("{from}-{}", 2 * from - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_ranks_add_up() {
        // R-MPI-12
        let (kind, form) = (Kind::Allreduce, Form::Blocking);
        let taken = Class { kind, form, size: size_class(40), refusal: None };
        let sampled = Class { refusal: Some(Refusal::Sampled), ..taken };
        let refusal = Some(Refusal::Order);
        let left = Class { kind: Kind::Scan, form: Form::Started, size: size_class(0), refusal };
        let mut one = Report::default();
        one.count(taken, 1000);
        one.count(taken, 2000);
        one.count(sampled, 7000);
        let mut other = Report::default();
        other.count(taken, 3000);
        other.count(left, 10);
        let mut all = Report::default();
        all.add(&one.lines());
        all.add(&other.lines());
        all.add(&[[99, 0, 0, 0, 1, 1], [0, 9, 0, 0, 1, 1], [0, 0, 0, 99, 1, 1]]);
        assert_eq!(all.classes[&taken], Tally { calls: 3, nanoseconds: 6000 });
        assert_eq!(all.classes.len(), 3);
        let text = all.text(2);
        let line = text.lines().find(|line| line.contains(" netfold ")).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words, ["allreduce", "32-63", "netfold", "3", "2.0", "7.0"]);
        assert!(text.contains("  iscan "), "{text}");
        assert!(text.contains("floats would fold in the order of arrival"), "{text}");
    }

    #[test]
    fn size_classes_are_powers_of_two() {
        let classes = [0, 1, 2, 3, 4, u64::MAX].map(size_class);
        assert_eq!(classes, [0, 1, 2, 2, 3, 64]);
        assert_eq!([0, 1, 2, 64].map(sizes)[2], "2-3");
        assert_eq!(sizes(64), "9223372036854775808-18446744073709551615");
    }
}
