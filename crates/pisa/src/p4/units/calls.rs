//! Macros that apply the instances of a unit.

use super::stem;

/// The parameter of a macro that is an instance's number.
const NUMBER: &str = "N";

/// A macro that applies the instances of a control. Its arguments are an instance's number, and
/// those of the control that have another name for each instance.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The macro's name.
    name: String,
    /// The name of the instances without their numbers.
    kind: String,
    arguments: Vec<Argument>,
}

/// An argument of a control's instances.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Argument {
    /// The same for all, but perhaps for the instance's number.
    Same(String),
    /// Another one for each.
    Own,
}

impl Call {
    /// Finds what the instances of a control have in common; each has a name and arguments.
    pub fn of(control: &str, instances: &[(String, Vec<String>)]) -> Self {
        let (first, arguments) = &instances[0];
        let kind = stem(first).to_owned();
        let numbers: Vec<&str> = instances.iter().map(|(name, _)| &name[kind.len()..]).collect();
        let argument = |at: usize| {
            let texts = instances.iter().map(|(_, arguments)| arguments[at].as_str());
            Argument::of(&numbers, &texts.collect::<Vec<_>>())
        };
        let arguments = (0..arguments.len()).map(argument).collect();
        Self { name: control.replace("_unit", "").to_uppercase(), kind, arguments }
    }

    /// The directive that defines it.
    pub fn definition(&self) -> String {
        let place = |(at, argument): (usize, &Argument)| match argument {
            Argument::Same(text) => text.clone(),
            Argument::Own => format!("F{at}"),
        };
        let own = self.arguments.iter().enumerate().filter(|(_, one)| **one == Argument::Own);
        let parameters: Vec<String> =
            std::iter::once(NUMBER.into()).chain(own.map(place)).collect();
        let arguments: Vec<String> = self.arguments.iter().enumerate().map(place).collect();
        format!(
            "#define {}({}) {}##{NUMBER}.apply({})",
            self.name,
            parameters.join(", "),
            self.kind,
            arguments.join(", ")
        )
    }

    /// The statement that applies an instance.
    pub fn statement(&self, instance: &str, arguments: &[String]) -> String {
        let own = arguments.iter().zip(&self.arguments);
        let own = own.filter(|(_, argument)| **argument == Argument::Own);
        let own = own.map(|(text, _)| text.as_str());
        let all: Vec<&str> = std::iter::once(&instance[self.kind.len()..]).chain(own).collect();
        format!("{}({});", self.name, all.join(", "))
    }
}

impl Argument {
    /// Returns what an argument is to the instances of these numbers.
    fn of(numbers: &[&str], texts: &[&str]) -> Self {
        if texts.iter().all(|text| *text == texts[0]) {
            return Self::Same(texts[0].into());
        }
        let mut numbered =
            texts.iter().zip(numbers).map(|(text, number)| with_number(text, number));
        match numbered.next() {
            Some(first) if numbered.all(|other| other == first) => Self::Same(first),
            _ => Self::Own,
        }
    }
}

/// Returns an expression with the macro's parameter for a number at the end of its names.
fn with_number(expression: &str, number: &str) -> String {
    let names = expression.split('.').map(|name| match name.strip_suffix(number) {
        Some(kind) if stem(name) == kind => format!("{kind}##{NUMBER}"),
        _ => name.into(),
    });
    names.collect::<Vec<_>>().join(".")
}
