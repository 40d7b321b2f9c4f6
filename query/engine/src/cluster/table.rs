//! A table whose files are at workers: the partition of a scan is a worker's part.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::Statistics;
use datafusion::common::stats::Precision;
use datafusion::config::CsvOptions;
use datafusion::datasource::TableType;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    CsvSource, FileGroup, FileScanConfigBuilder, FileSource, ParquetSource,
};
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;

/// A table of a cluster.
#[derive(Debug)]
pub(super) struct ClusterTable {
    pub schema: SchemaRef,
    pub kind: String,
    /// Files of each worker, with their sizes.
    pub parts: Vec<Vec<(String, u64)>>,
    pub rows: Option<u64>,
}

#[async_trait]
impl TableProvider for ClusterTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let source: Arc<dyn FileSource> = if self.kind == "csv" {
            let options = CsvOptions { has_header: Some(true), ..CsvOptions::default() };
            Arc::new(CsvSource::new(self.schema()).with_csv_options(options))
        } else {
            Arc::new(ParquetSource::new(self.schema()))
        };
        let groups = self.parts.iter().map(|files| {
            let one = |(path, size): &(String, u64)| PartitionedFile::new(path.as_str(), *size);
            FileGroup::new(files.iter().map(one).collect())
        });
        let mut statistics = Statistics::new_unknown(&self.schema);
        if let Some(rows) = self.rows {
            statistics.num_rows = Precision::Inexact(rows as usize);
        }
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), source)
            .with_file_groups(groups.collect())
            .with_statistics(statistics)
            .with_projection_indices(projection.cloned())?
            .with_limit(limit)
            .build();
        Ok(DataSourceExec::from_data_source(config))
    }
}
