//! Conditions as reduced, ordered binary decision diagrams (Bryant, 1986): two that are true in the
//! same cases are the same number.

use std::collections::BTreeMap;

/// A condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Condition(u32);

impl Condition {
    pub(crate) const FALSE: Self = Self(0);
    pub(crate) const TRUE: Self = Self(1);
}

/// A choice between two conditions by a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Choice {
    pub(crate) variable: u32,
    pub(crate) otherwise: Condition,
    pub(crate) then: Condition,
}

/// All conditions of an extraction.
#[derive(Default)]
pub(crate) struct Diagrams {
    choices: Vec<Choice>,
    known: BTreeMap<Choice, Condition>,
    results: BTreeMap<[Condition; 3], Condition>,
}

impl Diagrams {
    /// Returns the condition that a variable is true.
    pub(crate) fn variable(&mut self, variable: u32) -> Condition {
        self.choose(Choice { variable, otherwise: Condition::FALSE, then: Condition::TRUE })
    }

    /// Returns the choice that a condition begins with; `None` of true and false.
    pub(crate) fn choice(&self, condition: Condition) -> Option<Choice> {
        condition.0.checked_sub(2).map(|at| self.choices[at as usize])
    }

    fn choose(&mut self, choice: Choice) -> Condition {
        if choice.then == choice.otherwise {
            return choice.then;
        }
        let next = Condition(self.choices.len() as u32 + 2);
        *self.known.entry(choice).or_insert_with(|| {
            self.choices.push(choice);
            next
        })
    }

    fn if_then_else(&mut self, f: Condition, g: Condition, h: Condition) -> Condition {
        match (f, g, h) {
            (Condition::TRUE, g, _) => return g,
            (Condition::FALSE, _, h) => return h,
            (f, Condition::TRUE, Condition::FALSE) => return f,
            _ if g == h => return g,
            _ => {}
        }
        if let Some(known) = self.results.get(&[f, g, h]) {
            return *known;
        }
        let top =
            [f, g, h].into_iter().filter_map(|part| self.choice(part)).map(|part| part.variable);
        let variable = top.min().unwrap_or(0);
        let split = |part: Condition| match self.choice(part) {
            Some(choice) if choice.variable == variable => (choice.otherwise, choice.then),
            _ => (part, part),
        };
        let (f, g, h, key) = (split(f), split(g), split(h), [f, g, h]);
        let otherwise = self.if_then_else(f.0, g.0, h.0);
        let then = self.if_then_else(f.1, g.1, h.1);
        let result = self.choose(Choice { variable, otherwise, then });
        self.results.insert(key, result);
        result
    }

    pub(crate) fn and(&mut self, a: Condition, b: Condition) -> Condition {
        self.if_then_else(a, b, Condition::FALSE)
    }

    pub(crate) fn or(&mut self, a: Condition, b: Condition) -> Condition {
        self.if_then_else(a, Condition::TRUE, b)
    }

    pub(crate) fn not(&mut self, a: Condition) -> Condition {
        self.if_then_else(a, Condition::FALSE, Condition::TRUE)
    }

    /// Returns a condition that is like `f` where `care` holds, and smaller if possible (Coudert
    /// and
    /// Madre, 1990: restrict).
    pub(crate) fn restrict(&mut self, f: Condition, care: Condition) -> Condition {
        let (Some(of_f), Some(of_care)) = (self.choice(f), self.choice(care)) else { return f };
        if of_care.variable < of_f.variable {
            let either = self.or(of_care.otherwise, of_care.then);
            return self.restrict(f, either);
        }
        let (otherwise, then) = if of_care.variable == of_f.variable {
            (of_care.otherwise, of_care.then)
        } else {
            (care, care)
        };
        match (otherwise, then) {
            (Condition::FALSE, _) => self.restrict(of_f.then, then),
            (_, Condition::FALSE) => self.restrict(of_f.otherwise, otherwise),
            _ => {
                let otherwise = self.restrict(of_f.otherwise, otherwise);
                let then = self.restrict(of_f.then, then);
                self.choose(Choice { variable: of_f.variable, otherwise, then })
            }
        }
    }
}
