//! Which columns of a table are what.

use std::path::Path;

use arrow_schema::{DataType, Schema};

use crate::{Error, Fields, Labels};

/// Names under which labels are looked for, in this order.
const LABEL_NAMES: [&str; 4] = ["label", "labels", "target", "y"];

/// The names of a pair of lists that are sparse rows without being called so.
const SPARSE_NAMES: [&str; 2] = ["indices", "values"];

/// Which columns of a table are what, by their number.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub label: Option<usize>,
    pub features: FeatureColumns,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FeatureColumns {
    /// Each column is one feature or more.
    Dense(Vec<DenseColumn>),
    /// Two lists in each row.
    Sparse { indices: usize, values: usize },
}

#[derive(Clone, Debug, PartialEq)]
pub struct DenseColumn {
    pub column: usize,
    pub name: String,
    /// The first of its features.
    pub first: usize,
    /// How many there are; not known yet of a list that may have any length.
    pub width: Option<usize>,
}

impl Layout {
    /// Finds out which columns of `schema` are what.
    pub fn of(path: &Path, schema: &Schema, labels: &Labels, fields: &Fields) -> Result<Self, Error> {
        let label = label_column(path, schema, labels)?;
        let column = |name: &str| {
            schema.index_of(name).map_err(|_| Error::layout(path, format!("no column `{name}`; {}", list(schema))))
        };
        let features = match fields {
            Fields::Sparse { indices, values } => {
                let (indices, values) = (column(indices)?, column(values)?);
                if let Some(wrong) = [indices, values].into_iter().find(|column| !is_list(schema, *column)) {
                    let field = schema.field(wrong);
                    let what = format!("column `{}` is no list of numbers but {}", field.name(), field.data_type());
                    return Err(Error::layout(path, format!("{what}; sparse rows are two lists")));
                }
                FeatureColumns::Sparse { indices, values }
            }
            Fields::Named(names) => {
                let columns = names.iter().map(|name| column(name)).collect::<Result<Vec<_>, _>>()?;
                FeatureColumns::Dense(dense_columns(path, schema, columns)?)
            }
            Fields::Numbers => {
                let columns: Vec<usize> = (0..schema.fields().len())
                    .filter(|column| Some(*column) != label && width(schema.field(*column).data_type()).is_some())
                    .collect();
                match columns[..] {
                    [] => {
                        let what = format!("no column of numbers for features; {}", list(schema));
                        return Err(Error::layout(path, what));
                    }
                    [first, second] if are_sparse(schema, first, second) => {
                        FeatureColumns::Sparse { indices: first, values: second }
                    }
                    [first, second] if are_sparse(schema, second, first) => {
                        FeatureColumns::Sparse { indices: second, values: first }
                    }
                    _ => FeatureColumns::Dense(dense_columns(path, schema, columns)?),
                }
            }
        };
        Ok(Self { label, features })
    }
}

/// How many features a column of this type is: nothing if it is no number, no number if any list has its own length.
fn width(data_type: &DataType) -> Option<Option<usize>> {
    match data_type {
        data_type if is_number(data_type) => Some(Some(1)),
        DataType::FixedSizeList(item, size) if is_number(item.data_type()) => Some(usize::try_from(*size).ok()),
        DataType::List(item) | DataType::LargeList(item) if is_number(item.data_type()) => Some(None),
        _ => None,
    }
}

fn is_number(data_type: &DataType) -> bool {
    // `is_numeric` has decimals, too, which no conversion here knows.
    data_type.is_integer() || data_type.is_floating() || *data_type == DataType::Boolean
}

fn is_list(schema: &Schema, column: usize) -> bool {
    width(schema.field(column).data_type()).is_some_and(|width| width != Some(1))
}

fn are_sparse(schema: &Schema, indices: usize, values: usize) -> bool {
    [indices, values].map(|column| schema.field(column).name().as_str()) == SPARSE_NAMES
        && is_list(schema, indices)
        && is_list(schema, values)
}

fn label_column(path: &Path, schema: &Schema, labels: &Labels) -> Result<Option<usize>, Error> {
    let column = match labels {
        Labels::Absent | Labels::File(_) => return Ok(None),
        Labels::Usual => LABEL_NAMES.iter().find_map(|name| schema.index_of(name).ok()),
        Labels::Named(name) => schema.index_of(name).ok(),
        Labels::Column(column) => (*column < schema.fields().len()).then_some(*column),
    };
    let Some(column) = column else {
        let what = format!("no such column of labels; {}; say which it is, or that there is none", list(schema));
        return Err(Error::layout(path, what));
    };
    let field = schema.field(column);
    if !is_number(field.data_type()) {
        let what = format!("the labels in column `{}` are {}, not numbers", field.name(), field.data_type());
        return Err(Error::layout(path, format!("{what}; give each class a number")));
    }
    Ok(Some(column))
}

fn dense_columns(path: &Path, schema: &Schema, columns: Vec<usize>) -> Result<Vec<DenseColumn>, Error> {
    let dense = |column| {
        let field = schema.field(column);
        let Some(width) = width(field.data_type()) else {
            let what = format!("column `{}` is {}; features are numbers or lists", field.name(), field.data_type());
            return Err(Error::layout(path, format!("{what} of them, so cast it")));
        };
        Ok(DenseColumn { column, name: field.name().clone(), first: 0, width })
    };
    columns.into_iter().map(dense).collect()
}

/// For messages.
fn list(schema: &Schema) -> String {
    let names = schema.fields().iter().map(|field| format!("`{}` ({})", field.name(), field.data_type()));
    format!("the columns are {}", names.collect::<Vec<_>>().join(", "))
}
