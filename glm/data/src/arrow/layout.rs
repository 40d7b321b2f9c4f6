//! The roles of a table's columns.

use std::path::Path;

use arrow_schema::{DataType, Schema};

use crate::{Error, Fields, Labels};

/// Names under which labels are looked for.
const LABEL_NAMES: [&str; 4] = ["label", "labels", "target", "y"];

/// The names of a pair of lists that are sparse rows without being called so.
const SPARSE_NAMES: [&str; 2] = ["indices", "values"];

/// The roles of a table's columns, by number.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub label: Option<usize>,
    pub features: FeatureColumns,
    /// The columns that nobody has asked for and that are no features, with their types.
    pub left_out: Vec<String>,
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
    /// Number of features; not known yet of a list that may have any length.
    pub width: Option<usize>,
}

impl Layout {
    /// Finds out which columns of `schema` are what.
    pub fn of(
        path: &Path,
        schema: &Schema,
        labels: &Labels,
        fields: &Fields,
    ) -> Result<Self, Error> {
        let label = label_column(path, schema, labels)?;
        let column = |name: &str| {
            let none = || Error::layout(path, format!("no column `{name}`; {}", list(schema)));
            called(path, schema, name)?.ok_or_else(none)
        };
        let features = match fields {
            Fields::Sparse { indices, values } => {
                let (indices, values) = (column(indices)?, column(values)?);
                if let Some(wrong) =
                    [indices, values].into_iter().find(|column| !is_list(schema, *column))
                {
                    let field = schema.field(wrong);
                    let what = format!(
                        "column `{}` is no list of numbers but {}",
                        field.name(),
                        field.data_type()
                    );
                    return Err(Error::layout(path, format!("{what}; sparse rows are two lists")));
                }
                FeatureColumns::Sparse { indices, values }
            }
            Fields::Named(names) => {
                let columns =
                    names.iter().map(|name| column(name)).collect::<Result<Vec<_>, _>>()?;
                FeatureColumns::Dense(dense_columns(path, schema, columns)?)
            }
            Fields::Numbers => numbers(path, schema, label, labels)?,
        };
        let mut left_out = Vec::new();
        if *fields == Fields::Numbers {
            let used = |column: usize| Some(column) == label || features.has(column);
            left_out.extend(
                (0..schema.fields().len())
                    .filter(|column| !used(*column))
                    .map(|column| named(schema, column)),
            );
        }
        Ok(Self { label, features, left_out })
    }
}

impl FeatureColumns {
    fn has(&self, column: usize) -> bool {
        match self {
            Self::Dense(columns) => columns.iter().any(|dense| dense.column == column),
            Self::Sparse { indices, values } => [*indices, *values].contains(&column),
        }
    }
}

/// All columns of numbers that are no labels. From a column that is named like a label, a model
/// would learn the very values that it has to predict.
fn numbers(
    path: &Path,
    schema: &Schema,
    label: Option<usize>,
    labels: &Labels,
) -> Result<FeatureColumns, Error> {
    let like_label =
        |column: usize| *labels != Labels::Absent && LABEL_NAMES.contains(&name(schema, column));
    let columns: Vec<usize> = (0..schema.fields().len())
        .filter(|column| Some(*column) != label && !like_label(*column))
        .filter(|column| width(schema.field(*column).data_type()).is_some())
        .collect();
    let of_name = |name: &str| {
        columns
            .iter()
            .copied()
            .find(|column| self::name(schema, *column) == name && is_list(schema, *column))
    };
    match (SPARSE_NAMES.map(of_name), &columns[..]) {
        (_, []) => {
            Err(Error::layout(path, format!("no column of numbers for features; {}", list(schema))))
        }
        ([Some(indices), Some(values)], [_, _]) => Ok(FeatureColumns::Sparse { indices, values }),
        ([Some(indices), Some(values)], _) => {
            let others = columns.iter().filter(|column| ![indices, values].contains(column));
            let others: Vec<_> = others.map(|column| named(schema, *column)).collect();
            let what = format!(
                "`indices` and `values` are sparse rows, and beside them are {}",
                others.join(", ")
            );
            Err(Error::layout(path, format!("{what}; leave these out, or add them to the lists")))
        }
        _ => Ok(FeatureColumns::Dense(dense_columns(path, schema, columns)?)),
    }
}

/// Returns the number of features of a column of this type: `None` if it is not numeric,
/// `Some(None)` if each list has its own length.
fn width(data_type: &DataType) -> Option<Option<usize>> {
    match data_type {
        data_type if is_number(data_type) => Some(Some(1)),
        DataType::FixedSizeList(item, size) if is_number(item.data_type()) => {
            Some(usize::try_from(*size).ok())
        }
        DataType::List(item) | DataType::LargeList(item) if is_number(item.data_type()) => {
            Some(None)
        }
        _ => None,
    }
}

fn is_number(data_type: &DataType) -> bool {
    // `is_numeric` has decimals, too, which no conversion here knows.
    data_type.is_integer() || data_type.is_floating() || *data_type == DataType::Boolean
}

fn is_list(schema: &Schema, column: usize) -> bool {
    let data_type = schema.field(column).data_type();
    data_type.is_nested() && width(data_type).is_some()
}

fn label_column(path: &Path, schema: &Schema, labels: &Labels) -> Result<Option<usize>, Error> {
    let column = match labels {
        Labels::Absent | Labels::File(_) => return Ok(None),
        Labels::Usual => {
            let mut found = Vec::new();
            for name in LABEL_NAMES {
                found.extend(called(path, schema, name)?);
            }
            if found.len() > 1 {
                let names: Vec<_> =
                    found.iter().map(|column| format!("`{}`", name(schema, *column))).collect();
                let what = format!(
                    "the columns {} are all named like labels; say which has them",
                    names.join(", ")
                );
                return Err(Error::layout(path, what));
            }
            found.first().copied()
        }
        Labels::Named(name) => called(path, schema, name)?,
        Labels::Column(column) => (*column < schema.fields().len()).then_some(*column),
    };
    let Some(column) = column else {
        let what = format!(
            "no such column of labels; {}; say which it is, or that there is none",
            list(schema)
        );
        return Err(Error::layout(path, what));
    };
    let field = schema.field(column);
    if !is_number(field.data_type()) {
        let what = format!(
            "the labels in column `{}` are {}, not numbers",
            field.name(),
            field.data_type()
        );
        return Err(Error::layout(path, format!("{what}; give each class a number")));
    }
    Ok(Some(column))
}

fn dense_columns(
    path: &Path,
    schema: &Schema,
    columns: Vec<usize>,
) -> Result<Vec<DenseColumn>, Error> {
    let dense = |column| {
        let field = schema.field(column);
        let Some(width) = width(field.data_type()) else {
            let what = format!(
                "column `{}` is {}; features are numbers or lists",
                field.name(),
                field.data_type()
            );
            return Err(Error::layout(path, format!("{what} of them, so cast it")));
        };
        if width == Some(0) {
            let what = format!(
                "the lists in column `{}` have no values; leave the column out",
                field.name()
            );
            return Err(Error::layout(path, what));
        }
        Ok(DenseColumn { column, name: field.name().clone(), first: 0, width })
    };
    columns.into_iter().map(dense).collect()
}

/// The column with this name, if there is one. Nothing tells which of several is meant.
fn called(path: &Path, schema: &Schema, name: &str) -> Result<Option<usize>, Error> {
    let found: Vec<usize> =
        (0..schema.fields().len()).filter(|column| self::name(schema, *column) == name).collect();
    match found[..] {
        [] => Ok(None),
        [column] => Ok(Some(column)),
        _ => {
            let what = format!(
                "{} columns are called `{name}`; rename or leave out all but one",
                found.len()
            );
            Err(Error::layout(path, what))
        }
    }
}

/// Returns the columns for messages.
fn list(schema: &Schema) -> String {
    let names = (0..schema.fields().len()).map(|column| named(schema, column));
    format!("the columns are {}", names.collect::<Vec<_>>().join(", "))
}

/// Returns one column, as [`list`] does.
fn named(schema: &Schema, column: usize) -> String {
    format!("`{}` ({})", name(schema, column), schema.field(column).data_type())
}

fn name(schema: &Schema, column: usize) -> &str {
    schema.field(column).name()
}
