//! The table of sizes in `hdl/README.md`.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use crate::simulate::{HdlError, Places};
use crate::size::Size;
use crate::units::Unit;

const BEGIN: &str = "<!-- Written by `make hdl`; begin. -->";
const END: &str = "<!-- Written by `make hdl`; end. -->";

/// The table, with the version that it was made with.
pub fn markdown(sizes: &[(&Unit, Size)], version: &str) -> String {
    let mut text = String::from(
        "| unit | area, NAND2 | of it flip-flops | area ratio | paper | least depth, gates | depth ratio | paper, delay | area at least depth |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for (unit, size) in sizes {
        let Size { small, fast } = size;
        let [area_ratio, paper_area, depth_ratio, paper_delay] =
            ratios(unit, size, sizes).unwrap_or([const { String::new() }; 4]);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "| `{}` | {:.0} | {} | {area_ratio} | {paper_area} | {} | {depth_ratio} | {paper_delay} | {:.0} |",
            unit.name, small.area, small.flip_flops, fast.depth, fast.area
        );
    }
    let _ = write!(text, "\n{}", made_with(version));
    text
}

/// A unit by its default: area, the same in the paper, depth, and the delay in the paper. None of a
/// default itself.
fn ratios(unit: &Unit, size: &Size, sizes: &[(&Unit, Size)]) -> Option<[String; 4]> {
    let sizing = unit.sized?;
    let (default, base) =
        sizes.iter().find(|(other, _)| other.name == sizing.default && other.name != unit.name)?;
    let papers = sizing.paper.zip(default.sized?.paper);
    let ratio = |here: f64, there: f64| format!("{:.2}", here / there);
    Some([
        ratio(size.small.area, base.small.area),
        papers.map_or_else(String::new, |(of, base)| ratio(of.area, base.area)),
        ratio(size.fast.depth.into(), base.fast.depth.into()),
        papers.map_or_else(String::new, |(of, base)| ratio(of.delay, base.delay)),
    ])
}

fn made_with(version: &str) -> String {
    format!("Made with {version}.\n")
}

fn readme(places: &Places) -> Result<(PathBuf, String), HdlError> {
    let path = places.units.join("README.md");
    let text = fs::read_to_string(&path)
        .map_err(|source| HdlError::File { path: path.clone(), source })?;
    Ok((path, text))
}

/// Splits a text into the part before the table, the table, and the part behind it.
fn parts(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (table, behind) = rest.split_once(END)?;
    Some((before, table.trim_start(), behind))
}

/// Writes the table into the README.
///
/// # Errors
/// [`HdlError`], if the README cannot be read or written, or has no place for it.
pub fn write(places: &Places, table: &str) -> Result<(), HdlError> {
    let (path, text) = readme(places)?;
    let (before, _, behind) = parts(&text).ok_or_else(|| HdlError::Outdated(table.into()))?;
    let text = format!("{before}{BEGIN}\n{table}{END}{behind}");
    fs::write(&path, text).map_err(|source| HdlError::File { path, source })
}

/// Returns whether the README has a table of this version. Without one there is nothing to compare.
///
/// # Errors
/// [`HdlError`], if the README cannot be read.
pub fn is_of_version(places: &Places, version: &str) -> Result<bool, HdlError> {
    let (_, text) = readme(places)?;
    Ok(parts(&text).is_none_or(|(_, recorded, _)| recorded.contains(&made_with(version))))
}

/// Holds the README to a table, or, in the short form, to the rows of one.
///
/// # Errors
/// [`HdlError::Outdated`], if it has another one.
pub fn check(places: &Places, table: &str, short: bool) -> Result<(), HdlError> {
    let (_, text) = readme(places)?;
    match parts(&text) {
        Some((_, recorded, _)) if recorded == table || short && has_rows(recorded, table) => Ok(()),
        _ => Err(HdlError::Outdated(table.into())),
    }
}

/// Returns whether a table has all lines of another one.
fn has_rows(recorded: &str, table: &str) -> bool {
    table.lines().all(|line| recorded.lines().any(|known| known == line))
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, has_rows, markdown, parts};
    use crate::size::{Mapped, Size};
    use crate::units::Unit;

    #[test]
    fn ratios_are_to_the_default_and_stand_beside_the_papers() {
        let size = |area, depth| {
            let mapped = Mapped { area, flip_flops: 32, depth };
            Size { small: mapped, fast: Mapped { area: area + 7.0, ..mapped } }
        };
        let named = |name| Unit::named(name).unwrap();
        let sizes = [(named("alu"), size(1000.0, 20)), (named("alu_fpisa"), size(1100.0, 21))];
        let table = markdown(&sizes, "Yosys 1");
        assert!(table.contains("| `alu` | 1000 | 32 |  |  | 20 |  |  | 1007 |"), "{table}");
        assert!(
            table.contains("| `alu_fpisa` | 1100 | 32 | 1.10 | 1.22 | 21 | 1.05 | 1.02 | 1107 |"),
            "{table}"
        );
        assert!(table.ends_with("\n\nMade with Yosys 1.\n"), "{table}");
    }

    #[test]
    fn a_table_is_found_again() {
        let text = format!("before\n{BEGIN}\n| table |\n{END}\nbehind");
        assert_eq!(parts(&text), Some(("before\n", "| table |\n", "\nbehind")));
        assert_eq!(parts("none"), None);
        assert!(has_rows("| a |\n| b |\n\nMade with c.", "| b |\n\nMade with c."));
        assert!(!has_rows("| a |\n| b |\n\nMade with c.", "| b |\n\nMade with d."));
    }
}
