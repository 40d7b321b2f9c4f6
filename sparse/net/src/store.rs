//! The store of a server in a folder (R-SERVE-8): rows, the log of changes, and what the server
//! says of itself, in one database, so that each commit has all of it or nothing.

use std::fs;
use std::path::Path;

use netfold_sparse::{Checkpoint, EachBatch, Store, StoreError};
use redb::{
    Database, DatabaseError, ReadableDatabase, ReadableTable, ReadableTableMetadata,
    TableDefinition, TableError,
};

/// The rows of the last checkpoint.
const PAGES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("pages");

/// Batches of changes after the last checkpoint.
const LOG: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("log");

/// The last checkpoint's data beside its rows, under [`META_KEY`].
const META: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("meta");

const META_KEY: &str = "meta";

/// Bytes of a file without rows from which on it is compacted when it is opened.
const LEAST_COMPACTED: u64 = 4 << 20;

/// A store in a file. Only one process can have it open.
#[derive(Debug)]
pub struct FileStore {
    database: Database,
}

impl FileStore {
    /// Opens the store in this file, or makes it, with its folder.
    ///
    /// # Errors
    /// The file cannot be read or written, is not that of a store, or another process has it open.
    pub fn open(path: &Path, cache_bytes: usize) -> Result<Self, StoreError> {
        let refused = |why: String| StoreError(format!("{}: {why}", path.display()));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| refused(error.to_string()))?;
        }
        // A file that is only half made has no rows, and another name.
        let made = path.with_added_extension("new");
        let exists = path.exists();
        let at = if exists { path } else { &made };
        if !exists && made.exists() {
            fs::remove_file(&made).map_err(|error| refused(error.to_string()))?;
        }
        let database = Database::builder().set_cache_size(cache_bytes).create(at);
        let mut database = database.map_err(|error| {
            refused(match error {
                DatabaseError::DatabaseAlreadyOpen => {
                    "another server has it open; end that one, or name another folder".into()
                }
                error => error.to_string(),
            })
        })?;
        if !exists {
            fs::rename(&made, path).map_err(|error| refused(error.to_string()))?;
        }
        let bytes = path.metadata().map_or(0, |file| file.len());
        if bytes > LEAST_COMPACTED && !has_pages(&database)? {
            // The rows have been dropped (R-SERVE-23), and the file keeps their room.
            database.compact().map_err(failed)?;
        }
        Ok(Self { database })
    }
}

fn has_pages(database: &Database) -> Result<bool, StoreError> {
    let transaction = database.begin_read().map_err(failed)?;
    match transaction.open_table(PAGES) {
        Err(TableError::TableDoesNotExist(_)) => Ok(false),
        table => table.map_err(failed)?.is_empty().map(|empty| !empty).map_err(failed),
    }
}

impl Store for FileStore {
    fn meta(&self) -> Result<Option<Vec<u8>>, StoreError> {
        let transaction = self.database.begin_read().map_err(failed)?;
        let table = match transaction.open_table(META) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(None),
            table => table.map_err(failed)?,
        };
        Ok(table.get(META_KEY).map_err(failed)?.map(|value| value.value().to_vec()))
    }

    fn page(&self, page: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let transaction = self.database.begin_read().map_err(failed)?;
        let table = match transaction.open_table(PAGES) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(None),
            table => table.map_err(failed)?,
        };
        Ok(table.get(page).map_err(failed)?.map(|value| value.value().to_vec()))
    }

    fn log(&self, each: &mut EachBatch<'_>) -> Result<(), StoreError> {
        let transaction = self.database.begin_read().map_err(failed)?;
        let table = match transaction.open_table(LOG) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(()),
            table => table.map_err(failed)?,
        };
        for batch in table.iter().map_err(failed)? {
            let (number, bytes) = batch.map_err(failed)?;
            each(number.value(), bytes.value())?;
        }
        Ok(())
    }

    fn append(&self, batch: u64, bytes: &[u8]) -> Result<(), StoreError> {
        let transaction = self.database.begin_write().map_err(failed)?;
        transaction.open_table(LOG).map_err(failed)?.insert(batch, bytes).map_err(failed)?;
        transaction.commit().map_err(failed)
    }

    fn checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        let transaction = self.database.begin_write().map_err(failed)?;
        {
            if checkpoint.drop {
                transaction.delete_table(PAGES).map_err(failed)?;
            }
            let mut pages = transaction.open_table(PAGES).map_err(failed)?;
            for (number, page) in &checkpoint.pages {
                pages.insert(number, page.bytes().as_slice()).map_err(failed)?;
            }
            let mut log = transaction.open_table(LOG).map_err(failed)?;
            log.retain_in(..=checkpoint.through, |_, _| false).map_err(failed)?;
            let mut meta = transaction.open_table(META).map_err(failed)?;
            meta.insert(META_KEY, checkpoint.meta.as_slice()).map_err(failed)?;
        }
        transaction.commit().map_err(failed)
    }
}

fn failed(error: impl std::fmt::Display) -> StoreError {
    StoreError(error.to_string())
}
