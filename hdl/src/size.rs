//! Has Yosys count the gates of units (R-HDL-14).

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::sync::OnceLock;

use crate::cores::each;
use crate::simulate::{HdlError, Places, make_folder, run};
use crate::units::{ALL, Unit};

/// Yosys's own script for libraries of gates, which looks for few gates, and the statistics of what
/// comes out.
const SMALL: &str =
    "+strash;&get,-n;&fraig,-x;&put;scorr;dc2;dretime;strash;&get,-n;&dch,-f;&nf;&put;print_stats";

/// A script that looks for little depth: ABC's balancing of sums of products (`if -g`), twice, and
/// a mapping that recovers no area on the longest way.
const FAST: &str = "+strash;if,-g,-K,6;strash;if,-g,-K,6;strash;dch;map,-B,0;print_stats";

/// The line in a report between the two.
const BETWEEN: &str = "least depth";

/// The flip-flop that all registers are made of: 17 pitches, by the measure of `hdl/cells.genlib`,
/// and as much an assumption.
const FLIP_FLOP: (&str, f64) = ("$_DFF_P_", 17.0 / 3.0);

/// Figures of a unit that Yosys has mapped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapped {
    /// Area of all cells, in NAND2.
    pub area: f64,
    /// Flip-flops among them.
    pub flip_flops: u32,
    /// Gates on the longest way between registers and ports.
    pub depth: u32,
}

/// Size and depth of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Figures of the search for few gates.
    pub small: Mapped,
    /// Figures of the search for little depth.
    pub fast: Mapped,
}

/// Returns the versions of the tools that count gates. Another version may count others.
///
/// # Errors
/// [`HdlError`], if Yosys or its ABC is not there.
pub fn version() -> Result<String, HdlError> {
    let first_with = |output: &[u8], word: &str| {
        let said = String::from_utf8_lossy(output).into_owned();
        said.lines().find(|line| line.contains(word)).unwrap_or_default().trim().to_owned()
    };
    let yosys = run("its version", Command::new("yosys").arg("-V"))?;
    let abc = run("its version", Command::new("yosys-abc").args(["-c", "version"]))?;
    Ok(format!(
        "{}; {}",
        first_with(&yosys.stdout, "Yosys"),
        first_with(&abc.stdout, "UC Berkeley")
    ))
}

/// Sizes of the units that are sized, in the order of [`ALL`]; in the short form of FPISA's alone.
///
/// # Errors
/// [`HdlError`], if Yosys fails or its report is not understood.
pub fn all(
    places: &Places,
    short: bool,
    progress: impl Fn(&Unit, &Size) + Sync,
) -> Result<Vec<(&'static Unit, Size)>, HdlError> {
    let path = places.units.join("cells.genlib");
    let text = fs::read_to_string(&path).map_err(|source| HdlError::File { path, source })?;
    let cells = cells(&text);
    make_folder(&places.build)?;
    let path = places.cells();
    fs::write(&path, verilog(&text)).map_err(|source| HdlError::File { path, source })?;
    let is_sized = |unit: &&Unit| unit.sized.is_some() && !(short && unit.is_of_array());
    let sized: Vec<&Unit> = ALL.iter().filter(is_sized).collect();
    let sizes: Vec<OnceLock<Size>> = sized.iter().map(|_| OnceLock::new()).collect();
    each(sized.len(), |number| {
        let size = of(places, sized[number], &cells)?;
        progress(sized[number], &size);
        let _ = sizes[number].set(size);
        Ok(())
    })?;
    Ok(sized.into_iter().zip(sizes.into_iter().filter_map(OnceLock::into_inner)).collect())
}

fn of(places: &Places, unit: &Unit, cells: &BTreeMap<String, f64>) -> Result<Size, HdlError> {
    let log = places.build.join(format!("{}.yosys", unit.file_name()));
    let _ = fs::remove_file(&log);
    // ABC's heuristics depend on the names of all that Yosys has read, so units of one paper do not
    // change the sizes of another's.
    let mut folders = places.folders_of(|other| other.is_of_array() == unit.is_of_array());
    if unit.is_of_array() {
        // An element with floats has the adder of FPISA's comparison.
        folders.push(places.units.join("alu_fpu"));
    }
    let modules: Vec<_> =
        folders.iter().map(|folder| format!("{}/*.v", folder.display())).collect();
    let parameters: String =
        unit.parameters.iter().map(|(name, value)| format!(" -chparam {name} {value}")).collect();
    let abc =
        |script| format!("abc -genlib {}/cells.genlib -script {script}", places.units.display());
    let script = [
        format!("read_verilog -I{}/common {}", places.units.display(), modules.join(" ")),
        format!("hierarchy -check -top {}{parameters}", unit.module),
        "synth -flatten -noabc".into(),
        // Enables become multiplexers, so that all units have the same flip-flop.
        format!("dfflegalize -cell {} x", FLIP_FLOP.0),
        "design -save before".into(),
        abc(SMALL),
        "opt_clean".into(),
        "stat".into(),
        format!("rename -top {}", unit.module),
        format!("write_verilog -noattr {}", places.netlist(unit).display()),
        format!("log {BETWEEN}"),
        "design -load before".into(),
        abc(FAST),
        "opt_clean".into(),
        "stat".into(),
    ];
    run(
        unit.name,
        Command::new("yosys").args(["-q", "-l"]).arg(&log).args(["-p", &script.join("; ")]),
    )?;
    let report =
        fs::read_to_string(&log).map_err(|source| HdlError::File { path: log.clone(), source })?;
    sizes(&report, cells).map_err(|what| HdlError::Report { unit: unit.name.into(), what, log })
}

/// Areas of the cells by their names.
fn cells(genlib: &str) -> BTreeMap<String, f64> {
    let gate = |line: &str| {
        let mut words = line.split_whitespace();
        (words.next()? == "GATE").then_some(())?;
        Some((words.next()?.to_owned(), words.next()?.parse().ok()?))
    };
    let mut cells: BTreeMap<_, _> = genlib.lines().filter_map(gate).collect();
    cells.insert(FLIP_FLOP.0.into(), FLIP_FLOP.1);
    cells
}

/// Modules for the gates of a genlib file: inputs by their letters, and the output Y.
fn verilog(genlib: &str) -> String {
    let gate = |line: &str| {
        let rest = line.strip_prefix("GATE ")?;
        let name = rest.split_whitespace().next()?;
        let (_, formula) = rest.split_once("Y=")?;
        let (formula, _) = formula.split_once(';')?;
        let value = match formula {
            "CONST0" => "1'b0".into(),
            "CONST1" => "1'b1".into(),
            formula => formula.replace('*', "&").replace('+', "|").replace('!', "~"),
        };
        let mut inputs: Vec<_> =
            formula.chars().filter(|letter| letter.is_ascii_uppercase()).collect();
        if formula.starts_with("CONST") {
            inputs.clear();
        }
        inputs.sort_unstable();
        inputs.dedup();
        let inputs: String = inputs.iter().map(|input| format!("input {input}, ")).collect();
        Some(format!("module {name}({inputs}output Y);\n    assign Y = {value};\nendmodule\n"))
    };
    genlib.lines().filter_map(gate).collect()
}

/// Reads both parts of a report. The error names the part that it lacks.
fn sizes(report: &str, cells: &BTreeMap<String, f64>) -> Result<Size, String> {
    let (small, fast) = report.split_once(&format!("\n{BETWEEN}\n")).ok_or("second part")?;
    Ok(Size { small: read(small, cells)?, fast: read(fast, cells)? })
}

/// Reads one part of a report.
fn read(report: &str, cells: &BTreeMap<String, f64>) -> Result<Mapped, String> {
    // ABC's statistics of the network that it has mapped: `lev =36` or `lev = 36`.
    let (_, depth) = report.rsplit_once("lev =").ok_or("depth")?;
    let depth: String = depth.trim_start().chars().take_while(char::is_ascii_digit).collect();
    let depth = depth.parse().map_err(|_| "depth".to_owned())?;
    let (_, counts) = report.rsplit_once("Number of cells:").ok_or("number of cells")?;
    let mut lines = counts.lines();
    let total: u32 =
        lines.next().and_then(|total| total.trim().parse().ok()).ok_or("number of cells")?;
    let (mut area, mut seen, mut flip_flops) = (0.0, 0, 0);
    for line in lines {
        let words: Vec<_> = line.split_whitespace().collect();
        let [name, count] = words[..] else { break };
        let Ok(count) = count.parse::<u32>() else { break };
        area +=
            cells.get(name).ok_or_else(|| format!("known cell: {name} is not in cells.genlib"))?
                * f64::from(count);
        seen += count;
        if name == FLIP_FLOP.0 {
            flip_flops = count;
        }
    }
    (seen == total)
        .then_some(Mapped { area, flip_flops, depth })
        .ok_or_else(|| "list of all cells".into())
}

#[cfg(test)]
mod tests {
    use super::{Mapped, Size, cells, read, sizes, verilog};

    const REPORT: &str = "ABC: netlist : i/o = 3/ 1  lat = 0  nd = 3  edge = 5  area =4.00  delay = 2.00  lev = 2\n\
        ABC RESULTS:  nand2 cells: 2\n   Number of cells:      4\n     $_DFF_P_     1\n     inv     1\n     nand2    2\n\n";

    #[test]
    fn a_report_is_added_up() {
        let cells = cells(
            "# comment\nGATE inv 0.6667 Y=!A; PIN * INV 1 999 1 0 1 0\nGATE nand2 1.0 Y=!(A*B);\n",
        );
        let mapped = Mapped { area: 17.0 / 3.0 + 0.6667 + 2.0, flip_flops: 1, depth: 2 };
        assert_eq!(read(REPORT, &cells).unwrap(), mapped);
        let both = format!("{REPORT}\nleast depth\n{REPORT}");
        assert_eq!(sizes(&both, &cells).unwrap(), Size { small: mapped, fast: mapped });
    }

    #[test]
    fn gates_become_modules() {
        let nor = "module nor2(input A, input B, output Y);\n    assign Y = ~(A|B);\nendmodule\n";
        assert_eq!(verilog("# comment\nGATE nor2 1.0 Y=!(A+B); PIN * INV 1 999 1 0 1 0\n"), nor);
        assert_eq!(
            verilog("GATE one 0 Y=CONST1;\n"),
            "module one(output Y);\n    assign Y = 1'b1;\nendmodule\n"
        );
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let all = cells("GATE inv 0.6667 Y=!A;\nGATE nand2 1.0 Y=!(A*B);\n");
        assert!(read(REPORT, &cells("")).unwrap_err().contains("inv"));
        assert!(read(&REPORT.replace("lev", "depth"), &all).unwrap_err().contains("depth"));
        assert!(
            read(&REPORT.replace("inv     1\n", "inv     2\n"), &all)
                .unwrap_err()
                .contains("all cells")
        );
    }
}
