//! `netfold op report`: an operation as WebAssembly, as an access of a pipeline, on an array.

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use netfold_cgra::extract;
use netfold_cgra::graph::Graph;
use netfold_cgra::op::{Class, Op};
use netfold_ops::{Operation, TypedOperation};

use crate::cgra::flags::ArrayFlags;
use crate::cgra::{COLUMNS, array, functions, request, rows};
use crate::error::Error;
use crate::{SUCCESS, terminal};

pub(super) fn run(operation: &Operation, flags: &ArrayFlags) -> Result<i32, Error> {
    let array = array(flags)?;
    let fold = functions(operation).into_iter().find(|(name, _)| *name == "fold");
    let pipeline = match fold.map(|fold| extract(operation.module(), &request(operation, fold))) {
        None => "PISA: none, since nothing is folded".to_owned(),
        Some(Err(refusal)) => format!("PISA: none, since {refusal}"),
        Some(Ok(program)) => {
            let accesses: Result<Vec<_>, _> =
                program.kernels.iter().map(|kernel| access(&kernel.graph)).collect();
            match accesses {
                Ok(accesses) => format!("PISA: {} of a register (R-HDL-8)", accesses.join(", ")),
                Err(why) => format!("PISA: none, since {why}"),
            }
        }
    };
    let mut table = Table::new();
    table
        .load_style(ASCII_MARKDOWN)
        .set_header(COLUMNS)
        .add_rows(rows(operation, &array, flags.seed));
    terminal::say(&format!(
        "{}\n{pipeline}\nCGRA, array {}, simulated at {} MHz:\n{table}\n",
        operation.name(),
        array.name,
        array.megahertz
    ))?;
    Ok(SUCCESS)
}

/// Returns the write by which a stateful ALU does what a loop does (R-HDL-8).
///
/// # Errors
/// The reason why none does.
fn access(graph: &Graph) -> Result<String, String> {
    let wide = |bytes: u8| bytes > 4;
    let made: Vec<_> = graph.nodes.iter().filter(|node| node.access.is_none()).collect();
    if graph.nodes.iter().any(|node| node.access.is_some_and(|access| wide(access.bytes))) {
        return Err("a register of a pipeline has words of 32 bits".into());
    }
    if let Some(node) = made.iter().find(|node| node.op.class() != Class::Alu) {
        return Err(format!("a stateful ALU has no {}", node.op.name()));
    }
    let ops: Vec<Op> = made.iter().map(|node| node.op).collect();
    match ops[..] {
        [op @ (Op::Add | Op::Sub | Op::And | Op::Or | Op::MinS | Op::MaxS)] => Ok(op.name().into()),
        // Which of the two is chosen says whether it is the smaller or the larger one.
        [Op::LtS, Op::Select] => Ok("signed minimum or maximum".into()),
        [op] => Err(format!("a stateful ALU does not write {}", op.name())),
        _ => Err(format!("an access has one operation, not {}", ops.len())),
    }
}
