//! Units with one fault each, which their benches have to find.

use std::fs;
use std::path::Path;

use crate::simulate::{Bench, Form, HdlError, Places, Runtime, make_folder};
use crate::units::Unit;

/// A fault.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// The unit whose bench has to find it.
    pub unit: &'static str,
    /// The file that is changed.
    pub file: &'static str,
    /// The text to replace, which stands there once.
    pub from: &'static str,
    /// Its replacement.
    pub to: &'static str,
}

const fn mutant(
    unit: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
) -> Mutant {
    Mutant { unit, file, from, to }
}

/// All faults.
pub const ALL: [Mutant; 83] = [
    mutant("alu", "common/operands.v", "b_is_constant ? constant : field_b", "field_b"),
    mutant("alu", "common/stateless.v", "op != `STATELESS_ADD", "op == `STATELESS_SATURATING_SUB"),
    mutant("alu", "common/stateless.v", "carry ? sum : {WIDTH{1'b0}}", "sum"),
    mutant("alu", "common/stateless.v", "a ^ b", "a | b"),
    mutant(
        "alu",
        "common/stateless.v",
        "op == `STATELESS_SHIFT_SIGNED && a[WIDTH-1]",
        "a[WIDTH-1]",
    ),
    mutant("alu", "common/shifter.v", "rung < RUNGS", "rung < RUNGS - 1"),
    mutant("alu", "common/shifter.v", "if (left) shifted = reversed(shifted);", ""),
    mutant("alu, 16 bits", "alu/alu.v", ".SHIFT_BY_FIELD(0)", ".SHIFT_BY_FIELD(1)"),
    mutant("alu_fpisa", "alu_fpisa/alu_fpisa.v", ".SHIFT_BY_FIELD(1)", ".SHIFT_BY_FIELD(0)"),
    mutant("alu_fpisa", "common/stateless.v", "|b[WIDTH-1:DISTANCE]", "b[WIDTH-1]"),
    mutant(
        "alu_fpisa, 8 bits",
        "common/stateless.v",
        "{WIDTH{fill}} : moved",
        "{WIDTH{1'b0}} : moved",
    ),
    mutant("raw", "common/condition.v", "? stored - operand + plus", "? stored - operand"),
    mutant("raw", "common/condition.v", "~behind & ~equal", "~behind"),
    mutant(
        "raw",
        "common/update.v",
        "stored[WIDTH-1] == operand[WIDTH-1] ? sum[WIDTH-1] : stored[WIDTH-1]",
        "sum[WIDTH-1]",
    ),
    mutant(
        "raw",
        "common/stateful.v",
        "assign next = chosen[0] ? written[WIDTH-1:0] : chosen[1]",
        "assign next = chosen[1]",
    ),
    mutant("raw", "common/stateful.v", "given <= next", "given <= stored"),
    mutant("raw, lean", "common/stateful.v", "if (enable)", "if (enable | x[0])"),
    mutant("rsaw", "common/stateful.v", "|y[WIDTH-1:DISTANCE]", "1'b0"),
    mutant("rsaw, lean", "common/stateful.v", ".fill(stored[WIDTH-1])", ".fill(1'b0)"),
    mutant("rsaw, 16 bits", "common/update.v", "shifts ? shifted : stored", "stored"),
    mutant("alu_fpu", "alu_fpu/fp32_add.v", "b[30:0] > a[30:0]", "b[30:23] > a[30:23]"),
    mutant(
        "alu_fpu",
        "alu_fpu/fp32_add.v",
        "wire        sticky = |(",
        "wire        sticky = 1'b0 & |(",
    ),
    mutant("alu_fpu", "alu_fpu/fp32_add.v", "(normal_3[3] | normal_3[1] | normal_3[0])", "1'b1"),
    mutant("alu_fpu", "alu_fpu/fp32_add.v", "short_of_room ? room[4:0] : zeros", "zeros"),
    mutant("alu_fpu", "alu_fpu/fp32_add.v", "sign_1 & (|total | ~subtract_1)", "sign_1"),
    mutant("alu_fpu", "alu_fpu/fp32_add.v", "infinite_3 | beyond", "infinite_3"),
    mutant(
        "alu_fpu",
        "alu_fpu/fp32_add.v",
        "(&greater[30:23] & &lesser[30:23] & subtract)",
        "1'b0",
    ),
    mutant(
        "alu_fpu, 4 stages",
        "alu_fpu/fp32_add.v",
        ".WIDTH(39), .REGISTER(CUTS)",
        ".WIDTH(39), .REGISTER(0)",
    ),
    mutant("fold", "alu_fpisa/alu_fpisa.v", ".SHIFT_BY_FIELD(1)", ".SHIFT_BY_FIELD(0)"),
    mutant("fold", "rsaw/rsaw.v", ".SHIFT(1)", ".SHIFT(0)"),
    mutant("fold", "fold/fold.v", "subnormal ? 16'd1", "subnormal ? 16'd0"),
    mutant("fold", "fold/fold.v", "begins_0 ? 4'b1111 : 4'b1010", "4'b1111"),
    mutant(
        "fold",
        "fold/fold.v",
        "behind ? `STATELESS_SHIFT_SIGNED",
        "behind ? `STATELESS_SHIFT_RIGHT",
    ),
    mutant("element", "element/element_alu.v", "$signed(x) < $signed(y)", "x < y"),
    mutant("element", "element/element_alu.v", "less_s | equal", "less_s"),
    mutant("element", "element/element_alu.v", "{1'b0, b[3:0]} : b[4:0]", "b[4:0] : b[4:0]"),
    mutant("element", "element/element_alu.v", "u << distance | u >> rest", "u << distance"),
    mutant("element", "element/element_alu.v", "leading = bits - 6'd1", "leading = 6'd31"),
    mutant("element", "element/element_alu.v", "{b[31], a[30:0]}", "{a[31], b[30:0]}"),
    mutant("element", "element/element_alu.v", "raw & mask", "raw"),
    mutant("element", "element/element.v", "number >= stage & round < rounds", "1'b1"),
    mutant("element", "element/element.v", "carried[1] & first", "carried[1]"),
    mutant("element", "element/element.v", "a * b & mask", "a * b"),
    mutant("element", "element/element.v", "else if (product_comes)", "else if (multiplies)"),
    mutant(
        "element",
        "element/source.v",
        "value = neighbours[63:32]",
        "value = neighbours[127:96]",
    ),
    mutant("element, floats", "element/float.v", "b[31] ^ (op == `ELEMENT_FSUB)", "b[31]"),
    mutant("element, floats", "element/fp32_mul.v", "a[23] | ~normal_a", "a[23]"),
    mutant("element, floats", "element/fp32_mul.v", "|moved[70:0]", "1'b0"),
    mutant(
        "element, floats",
        "element/fp32_mul.v",
        "lack > 9'd48 ? 6'd48 : lack[5:0]",
        "lack[5:0]",
    ),
    mutant(
        "element, floats",
        "element/fp32_mul.v",
        "room < {3'd0, zeros} ? room[5:0] : zeros",
        "zeros",
    ),
    mutant("element, floats", "element/fp32_mul.v", "infinite & (~|a[30:0] | ~|b[30:0])", "1'b0"),
    mutant("element, floats", "element/fp32_mul.v", "(normal_3[2] | normal_3[0])", "1'b1"),
    mutant("element, floats", "element/float.v", "(a == b | zeros)", "(a == b)"),
    mutant("element, floats", "element/float.v", "a[30:0] < b[30:0] ^ a[31]", "a[30:0] < b[30:0]"),
    mutant("element, floats", "element/float.v", "equal ? a | b", "equal ? a & b"),
    mutant("element, floats", "element/float.v", "exponent >= 8'd159", "exponent >= 8'd158"),
    mutant(
        "element, floats",
        "element/float.v",
        "normal[7] & (normal[8] | |normal[6:0])",
        "normal[7]",
    ),
    mutant(
        "element, floats",
        "element/float.v",
        "exponent == 8'd126 & |a[22:0]",
        "exponent == 8'd126",
    ),
    mutant("element, floats", "element/float.v", "exponent == 8'd127 ? 1'b0 :", ""),
    mutant("element, floats", "element/element.v", "under_way[2]", "under_way[1]"),
    mutant("chain", "element/element.v", "else if (load_comes)", "else if (loads)"),
    mutant("chain", "chain/port.v", "at_now + (loads ? a : b)", "at_now + a"),
    mutant("chain", "chain/port.v", "base_now + outer", "base_now + inner"),
    mutant("chain", "chain/port.v", "last ? base_next : at_now + inner", "base_next"),
    mutant("chain", "chain/port.v", "first ? offset : at[slot]", "at[slot]"),
    mutant("chain", "chain/port.v", "stores & |c", "stores"),
    mutant("chain", "chain/port.v", "& |a;", "& 1'b0;"),
    mutant("chain", "chain/chain.v", "state <= DRAIN", "state <= FILL"),
    mutant("chain", "chain/chain.v", "k < sizes[4*p+:4] & at < 128 ?", "at < 128 ?"),
    mutant("chain", "chain/chain.v", "number <= number + 16'd1", "number <= number"),
    mutant("control", "control/control.v", "16'hFFFF << size", "16'hFFFE << size"),
    mutant("control", "control/control.v", "empty | called[communicator]", "called[communicator]"),
    mutant("control", "control/control.v", "agrees & ~|(before & contributor)", "agrees"),
    mutant("control", "control/control.v", "whole ? 16'd0 : now", "now"),
    mutant("control", "control/control.v", "root == r[3:0] :", "1'b1 :"),
    mutant("control", "control/control.v", "empty & rank == root", "rank == root"),
    mutant("multicast", "multicast/multicast.v", "within ? ports : s_tuser", "s_tuser"),
    mutant("multicast", "multicast/multicast.v", "left <= left & ~m_tready", "left <= left"),
    mutant("parser", "parser/parser.v", "ends_header & s_tlast", "1'b0"),
    mutant("parser", "parser/parser.v", "~(16'hFFFE << width)", "16'hFFFF"),
    mutant("parser", "parser/parser.v", "m_empty <= in_header", "m_empty <= 1'b0"),
    mutant("deparser", "deparser/deparser.v", "word & ~width | field", "word | field"),
    mutant("deparser", "deparser/deparser.v", "(~in_header | ends)", "~in_header"),
];

/// Returns the places in the list of the first faults of each unit, at most so many of one.
pub fn first(most: usize) -> Vec<usize> {
    let before = |number: usize| {
        ALL[..number].iter().filter(|earlier| earlier.unit == ALL[number].unit).count()
    };
    (0..ALL.len()).filter(|number| before(*number) < most).collect()
}

/// Builds the broken unit and runs it. An error says that nothing was found.
///
/// # Errors
/// [`HdlError::Unnoticed`] if all operations agree, and every other error that a sound unit would
/// have.
pub fn check(
    places: &Places,
    runtime: &Runtime,
    number: usize,
    operations: u64,
    seed: u64,
) -> Result<(), HdlError> {
    let mutant = &ALL[number];
    let what =
        || format!("{} with `{}` for `{}` in {}", mutant.unit, mutant.to, mutant.from, mutant.file);
    let unit = Unit::named(mutant.unit).ok_or_else(|| HdlError::Unnoticed(what()))?;
    let folder = places.build.join(format!("mutant-{number}"));
    let broken = Places { units: folder.join("units"), build: folder };
    for source in places.folders() {
        copy(&source, &broken.units.join(source.file_name().unwrap_or_default()))?;
    }
    let file = broken.units.join(mutant.file);
    let failed = |source| HdlError::File { path: file.clone(), source };
    let text = fs::read_to_string(&file).map_err(failed)?;
    let times = text.matches(mutant.from).count();
    if times != 1 {
        return Err(HdlError::NotOnce {
            file: mutant.file.into(),
            from: mutant.from.into(),
            times,
        });
    }
    fs::write(&file, text.replace(mutant.from, mutant.to)).map_err(failed)?;
    match Bench::build(&broken, runtime, unit, Form::Broken)?.run(operations, seed) {
        Err(HdlError::Differs { .. }) => Ok(()),
        Ok(()) => Err(HdlError::Unnoticed(what())),
        Err(error) => Err(error),
    }
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) -> Result<(), HdlError> {
    make_folder(to)?;
    let failed = |source| HdlError::File { path: from.into(), source };
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        fs::copy(entry.path(), to.join(entry.file_name())).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{ALL, Places, Unit, first};
    use std::fs;

    #[test]
    fn every_fault_is_of_a_unit_that_is_there_and_changes_one_place() {
        for mutant in ALL {
            assert!(Unit::named(mutant.unit).is_some(), "{mutant:?}");
            let text = fs::read_to_string(Places::here().units.join(mutant.file)).unwrap();
            assert_eq!(text.matches(mutant.from).count(), 1, "{mutant:?}");
        }
    }

    #[test]
    fn every_unit_has_a_fault() {
        for unit in &crate::units::ALL {
            assert!(ALL.iter().any(|mutant| mutant.unit == unit.name), "{}", unit.name);
        }
        let one: Vec<_> = first(1).into_iter().map(|number| ALL[number].unit).collect();
        assert_eq!(one.len(), crate::units::ALL.len());
        assert_eq!(first(usize::MAX).len(), ALL.len());
        assert_eq!(first(3).iter().filter(|number| ALL[**number].unit == "chain").count(), 3);
    }
}
