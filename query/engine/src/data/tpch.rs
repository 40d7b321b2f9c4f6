//! TPC-H's tables by the `tpchgen` crate, with the columns of money and quantity that FPISA
//! (section 6.2) turns into FP32.

use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::error::ArrowError;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use tpchgen::generators::{
    CustomerGenerator, LineItemGenerator, NationGenerator, OrderGenerator, PartGenerator,
    PartSuppGenerator, RegionGenerator, SupplierGenerator,
};
use tpchgen_arrow::{
    CustomerArrow, LineItemArrow, NationArrow, OrderArrow, PartArrow, PartSuppArrow, RegionArrow,
    SupplierArrow,
};

use super::hard::harden;
use super::{BATCH, write};
use crate::Error;

/// Columns that are FP32 here and decimal in TPC-H. FPISA names `l_extendedprice`; query 20 adds
/// `l_quantity`.
const FLOATS: [&str; 2] = ["l_extendedprice", "l_quantity"];

/// Writes TPC-H's eight tables at the scale factor `scale` into `dir`: of the large ones `parts`
/// files, of `nation` and `region` one. With a seed, half of the floats are of every kind.
///
/// # Errors
///
/// [`Error::File`] if a file cannot be written.
pub fn tpch(dir: &Path, scale: f64, parts: usize, hard: Option<u64>) -> Result<(), Error> {
    let mut random = hard.map(Pcg64::seed_from_u64);
    let mut harder = |batch: RecordBatch| match &mut random {
        Some(random) => harden(&batch, random),
        None => batch,
    };
    let count = i32::try_from(parts).unwrap_or(i32::MAX);
    for number in 0..parts {
        let part = i32::try_from(number + 1).unwrap_or(i32::MAX);
        macro_rules! table {
            ($name:literal, $arrow:ident, $generator:ident) => {
                let batches = $arrow::new($generator::new(scale, part, count));
                let batches = rows(batches.with_batch_size(BATCH)).map(&mut harder);
                write(dir, $name, number, batches)?;
            };
        }
        table!("customer", CustomerArrow, CustomerGenerator);
        table!("lineitem", LineItemArrow, LineItemGenerator);
        table!("orders", OrderArrow, OrderGenerator);
        table!("part", PartArrow, PartGenerator);
        table!("partsupp", PartSuppArrow, PartSuppGenerator);
        table!("supplier", SupplierArrow, SupplierGenerator);
    }
    write(dir, "nation", 0, rows(NationArrow::new(NationGenerator::new(scale, 1, 1))))?;
    write(dir, "region", 0, rows(RegionArrow::new(RegionGenerator::new(scale, 1, 1))))?;
    Ok(())
}

/// Batches with the columns of [`FLOATS`] as FP32.
fn rows(
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
) -> impl Iterator<Item = RecordBatch> {
    batches.map(|batch| {
        let batch = batch.expect("tpchgen makes valid batches");
        let schema = batch.schema();
        let (fields, columns): (Vec<_>, Vec<_>) = schema
            .fields()
            .iter()
            .zip(batch.columns())
            .map(|(field, column)| {
                if FLOATS.contains(&field.name().as_str()) {
                    let column = cast(column, &DataType::Float32).expect("a decimal is a number");
                    let field = Field::new(field.name(), DataType::Float32, field.is_nullable());
                    (Arc::new(field), column)
                } else {
                    (Arc::clone(field), Arc::clone(column))
                }
            })
            .unzip();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
            .expect("only a type has changed")
    })
}
