//! Labels as an array of their own.

use std::path::Path;

use super::array::{Array, Values};
use super::extent::Extent;
use crate::number::Label;
use crate::{Error, Labels};

/// Number of labels that are read at once.
const BLOCK_ROWS: usize = 8192;

/// An array with a label for each row.
#[derive(Clone, Debug)]
pub struct LabelArray {
    array: Array,
}

impl LabelArray {
    /// Refuses arrays of more than one column.
    pub fn new(array: Array) -> Result<Self, Error> {
        match array.shape() {
            [_] | [_, 1] => Ok(Self { array }),
            shape => {
                let what = format!(
                    "{} of labels has the shape {shape:?}; save one number for each row",
                    array.name()
                );
                Err(Error::layout(array.path(), what))
            }
        }
    }

    /// The labels of a file of their own, if that is where they are.
    pub fn of_file(labels: &Labels) -> Result<Option<Self>, Error> {
        let Labels::File(path) = labels else {
            return Ok(None);
        };
        match crate::format::detect(path, Some(crate::Format::Npy)) {
            Ok(_) => Ok(Some(Self::new(Array::open(Extent::whole(path)?, "the array")?)?)),
            Err(error) => Err(error),
        }
    }

    pub fn rows(&self) -> u64 {
        self.array.elements()
    }

    /// Returns its name in messages.
    pub fn name(&self) -> String {
        format!("{} of {}", self.array.name(), self.array.path().display())
    }

    pub fn reader(&self, non_finite: bool) -> Result<LabelReader, Error> {
        Ok(LabelReader {
            values: self.array.values()?,
            path: self.array.path().into(),
            name: self.array.name().into(),
            non_finite,
        })
    }

    pub fn is_compressed(&self) -> bool {
        self.array.is_compressed()
    }
}

/// Reads labels by rows.
pub struct LabelReader {
    values: Values,
    path: Box<Path>,
    name: String,
    non_finite: bool,
}

impl LabelReader {
    /// Adds the labels of `rows` rows from `first` on.
    pub fn read(&mut self, first: u64, rows: usize, labels: &mut Vec<f64>) -> Result<(), Error> {
        for start in (0..rows).step_by(BLOCK_ROWS) {
            let mut block = vec![Label::NONE; BLOCK_ROWS.min(rows - start)];
            let first = first + start as u64;
            self.values.read(first, &mut block)?;
            for (row, label) in (first..).zip(block) {
                if let Some(problem) = label.problem(self.non_finite) {
                    return Err(Error::row(&self.path, row, &self.name, problem));
                }
                labels.push(label.value);
            }
        }
        Ok(())
    }
}
