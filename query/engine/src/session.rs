//! Sessions: DataFusion's, with the rule and the functions, over the tables of a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::functions::float_aggregates;
use crate::{Error, Options, SwitchRule};

/// Rules of DataFusion before the first of which ours comes: they wrap and tie what it has made.
const AFTER: [&str; 2] = ["EnsureCooperative", "FilterPushdown(Post)"];

/// Returns DataFusion's default state with the rule, its [`Options`], and the functions.
pub fn state(config: SessionConfig) -> SessionStateBuilder {
    let mut rules = PhysicalOptimizer::new().rules;
    let rule: Arc<dyn PhysicalOptimizerRule + Send + Sync> = Arc::new(SwitchRule);
    let at = rules.iter().position(|rule| AFTER.contains(&rule.name())).unwrap_or(rules.len());
    rules.insert(at, rule);
    plain_state(config).with_physical_optimizer_rules(rules)
}

/// Returns DataFusion's default state with the functions alone: what answers are compared with.
pub fn plain_state(config: SessionConfig) -> SessionStateBuilder {
    let config = match config.options().extensions.get::<Options>() {
        Some(_) => config,
        None => config.with_option_extension(Options::default()),
    };
    let mut builder = SessionStateBuilder::new().with_config(config).with_default_features();
    let functions = builder.aggregate_functions().get_or_insert_default();
    for function in float_aggregates() {
        functions.retain(|known| known.name() != function.name());
        functions.push(Arc::new(function));
    }
    builder
}

/// Tables of a folder: each file `NAME.parquet` or `NAME.csv`, and each folder `NAME` of such
/// files.
#[derive(Clone, Debug)]
pub struct Tables {
    tables: Vec<(String, PathBuf, &'static str)>,
}

impl Tables {
    /// Finds the tables of a folder.
    ///
    /// # Errors
    /// [`Error::File`] if the folder cannot be read, or has no table.
    pub fn find(folder: &Path) -> Result<Self, Error> {
        let failed = |reason: String| Error::File { path: folder.into(), reason };
        let mut tables = Vec::new();
        let entries = fs::read_dir(folder).map_err(|error| failed(error.to_string()))?;
        for entry in entries {
            let path = entry.map_err(|error| failed(error.to_string()))?.path();
            let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
            let found = if path.is_dir() { kind_of_folder(&path) } else { kind(&path) };
            if let Some(kind) = found {
                tables.push((name.to_owned(), path.clone(), kind));
            }
        }
        if tables.is_empty() {
            return Err(failed(
                "no table: it needs files NAME.parquet or NAME.csv, or folders of them".into(),
            ));
        }
        tables.sort();
        Ok(Self { tables })
    }

    /// Registers the tables in a session.
    ///
    /// # Errors
    /// [`Error::Engine`] if a schema cannot be read.
    pub async fn register(&self, session: &SessionContext) -> Result<(), Error> {
        for (name, path, kind) in &self.tables {
            let format: Arc<dyn FileFormat> = match *kind {
                "csv" => Arc::new(CsvFormat::default().with_has_header(true)),
                _ => Arc::new(ParquetFormat::default()),
            };
            let place = path.to_string_lossy();
            let slash = if path.is_dir() { "/" } else { "" };
            let url = ListingTableUrl::parse(format!("{place}{slash}"))?;
            let options = ListingOptions::new(format).with_file_extension(format!(".{kind}"));
            let config = ListingTableConfig::new(url)
                .with_listing_options(options)
                .infer_schema(&session.state())
                .await?;
            session.register_table(quoted(name), Arc::new(ListingTable::try_new(config)?))?;
        }
        Ok(())
    }

    /// Returns the tables: names, places, and kinds of files.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Path, &'static str)> {
        self.tables.iter().map(|(name, path, kind)| (name.as_str(), path.as_path(), *kind))
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn kind(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "parquet" => Some("parquet"),
        "csv" => Some("csv"),
        _ => None,
    }
}

fn kind_of_folder(path: &Path) -> Option<&'static str> {
    fs::read_dir(path).ok()?.find_map(|entry| kind(&entry.ok()?.path()))
}
