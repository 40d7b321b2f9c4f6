//! The command `netfold query`.

use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand, ValueEnum};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::DataFusionError;
use indicatif::{ProgressBar, ProgressStyle};
use netfold_net::Token;
use netfold_query::cluster::serve;
use netfold_query::data::{self, HardTables};
use netfold_query::{Error, Query, Settings, Stats};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// Queries over Parquet and CSV files whose rows pass through the switch.
#[derive(Parser)]
#[command(name = "netfold query", version, args_conflicts_with_subcommands = true)]
struct Command {
    #[command(subcommand)]
    other: Option<Other>,
    #[command(flatten)]
    ask: Ask,
}

#[derive(Subcommand)]
enum Other {
    /// Write tables for tests and measurements.
    Data(Data),
    /// Be a worker on a host of its own: serve the tables of a folder to masters.
    Worker(Serve),
}

#[derive(Args)]
struct Serve {
    /// The address to listen at. Whoever reaches it can read the tables.
    #[arg(long)]
    listen: SocketAddr,
    /// The folder of this worker's part of the tables.
    #[arg(long)]
    data: PathBuf,
}

#[derive(Args)]
struct Ask {
    /// The query, or a file that has it (its name ends in .sql).
    sql: Option<String>,
    /// The folder of the tables: NAME.parquet, NAME.csv, or folders of such files.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Workers: threads that scan, filter and offer rows to the switch.
    #[arg(long, default_value_t = default_workers())]
    workers: usize,
    /// Workers that are processes on other hosts, in the place of threads: their addresses, with
    /// commas between them. They have the tables.
    #[arg(long, value_delimiter = ',', conflicts_with_all = ["data", "workers"])]
    connect: Vec<String>,
    /// All of these workers have the same files, of one file system: each file is read once, and
    /// another worker reads those of one that is lost.
    #[arg(long, conflicts_with = "data")]
    shared: bool,
    #[command(flatten)]
    switch: Elsewhere,
    /// The form of the answer.
    #[arg(long, value_enum, default_value_t = Form::Table)]
    format: Form,
    /// Show the plan instead of the answer.
    #[arg(long)]
    explain: bool,
    /// Leave the switch out: every plan is DataFusion's own.
    #[arg(long)]
    plain: bool,
    /// Write what passed the switch to standard error.
    #[arg(long)]
    stats: bool,
    /// A setting of netfold or of DataFusion, such as netfold.combine=false.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
}

#[derive(Args)]
struct Elsewhere {
    /// A switch that runs already, HOST:PORT: it has the programs, and workers send rows to it over
    /// UDP. Standbys may follow after commas: the first that answers has the programs.
    #[arg(long, conflicts_with = "plain")]
    switch: Option<String>,
    /// The token of that switch; others on the machine can read an option in the list of processes:
    /// prefer --token-file.
    #[arg(long, env = "NETFOLD_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// The file that holds the token.
    #[arg(long, env = "NETFOLD_TOKEN_FILE", conflicts_with = "token")]
    token_file: Option<PathBuf>,
    /// Silence of that switch, in seconds, after which the query goes on without it.
    #[arg(long, default_value_t = 5.0)]
    timeout: f64,
}

impl Elsewhere {
    fn read(&self) -> Result<Option<netfold_query::Elsewhere>, Error> {
        let Some(address) = &self.switch else { return Ok(None) };
        let wrong = |reason: String| Error::from(DataFusionError::Configuration(reason));
        let text =
            match &self.token_file {
                None => self.token.clone(),
                Some(path) => Some(std::fs::read_to_string(path).map_err(|error| Error::File {
                    path: path.clone(),
                    reason: error.to_string(),
                })?),
            };
        let token = text.map(|text| Token::new(&text)).transpose();
        let token = token.map_err(|error| wrong(error.to_string()))?;
        let timeout = Duration::try_from_secs_f64(self.timeout)
            .map_err(|error| wrong(format!("--timeout: {error}")))?;
        Ok(Some(netfold_query::Elsewhere::new(address, token, timeout)))
    }
}

#[derive(Args)]
struct Data {
    /// The tables.
    #[arg(value_enum)]
    kind: Kind,
    /// The folder that gets them.
    #[arg(long)]
    out: PathBuf,
    /// The scale factor of TPC-H.
    #[arg(long, default_value_t = 0.1)]
    scale: f64,
    /// Rows of `uservisits`, or of `facts`.
    #[arg(long, default_value_t = 1_000_000)]
    rows: usize,
    /// Files of each table.
    #[arg(long, default_value_t = 2)]
    parts: usize,
    /// The seed; TPC-H has its own, but for what --hard changes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Floats of every kind, NULL and skewed groups in the tables of TPC-H and of visits.
    #[arg(long)]
    hard: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// TPC-H's eight tables, with FP32 in lineitem.
    Tpch,
    /// The Big Data Benchmark's rankings and uservisits.
    Visits,
    /// Tables of NULL, NaN, zeros of both signs, ties and skew.
    Hard,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Table,
    Csv,
    Json,
}

fn default_workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn main() -> ExitCode {
    let command = Command::parse();
    let done = match command.other {
        Some(Other::Data(data)) => generate(&data),
        Some(Other::Worker(serve)) => work(serve),
        None => ask(&command.ask),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("netfold query: {error}");
            ExitCode::FAILURE
        }
    }
}

fn generate(data: &Data) -> Result<(), Error> {
    let parts = data.parts.max(1);
    match data.kind {
        Kind::Tpch => data::tpch(&data.out, data.scale, parts, data.hard.then_some(data.seed)),
        Kind::Visits => data::visits(&data.out, data.rows, parts, data.seed, data.hard),
        Kind::Hard => {
            let tables = HardTables { facts: data.rows, sides: data.rows / 4, parts };
            data::hard(&data.out, tables, data.seed)
        }
    }
}

fn work(options: Serve) -> Result<(), Error> {
    runtime(default_workers())?.block_on(async {
        let listener = TcpListener::bind(options.listen).await.map_err(DataFusionError::from)?;
        let address = listener.local_addr().map_err(DataFusionError::from)?;
        eprintln!("netfold query worker: listening at {address}");
        serve(listener, options.data).await
    })
}

fn runtime(threads: usize) -> Result<Runtime, Error> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(threads).enable_all().build();
    runtime.map_err(|error| DataFusionError::IoError(error).into())
}

fn ask(ask: &Ask) -> Result<(), Error> {
    let (Some(sql), true) = (&ask.sql, ask.data.is_some() || !ask.connect.is_empty()) else {
        let reason = "it needs a query, and tables: netfold query \"select ..\" --data DIR";
        return Err(DataFusionError::Configuration(reason.into()).into());
    };
    let sql = if sql.ends_with(".sql") {
        std::fs::read_to_string(sql)
            .map_err(|error| Error::File { path: sql.into(), reason: error.to_string() })?
    } else {
        sql.clone()
    };
    let mut set = ask.settings.clone();
    set.extend(ask.shared.then(|| "netfold.shared=true".to_owned()));
    let settings = Settings {
        workers: ask.workers.max(1),
        cluster: ask.connect.clone(),
        switch: ask.switch.read()?,
        plain: ask.plain,
        set,
    };
    runtime(settings.workers)?.block_on(async {
        let query = match &ask.data {
            Some(folder) => Query::plan(&sql, folder, &settings).await?,
            None => Query::plan_on_cluster(&sql, &settings).await?,
        };
        for reason in query.refusals() {
            eprintln!("netfold query: done by the engine: {reason}");
        }
        if ask.explain {
            return print(&query.explain());
        }
        let begun = Instant::now();
        let progress = progress(&query);
        let batches = query.run().await?;
        progress.abort();
        for reason in query.done_without() {
            eprintln!("netfold query: done without the switch: {reason}");
        }
        for worker in query.lost_workers() {
            eprintln!("netfold query: done without the worker at {worker}");
        }
        write(ask.format, &batches)?;
        if ask.stats {
            report(&query.stats(), begun.elapsed());
        }
        Ok(())
    })
}

/// Shows on a terminal how many rows have passed, after a second.
fn progress(query: &Query) -> tokio::task::JoinHandle<()> {
    let query = query.watch();
    tokio::spawn(async move {
        if !io::stderr().is_terminal() {
            return;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
        bar.set_style(style.expect("a template that is written here"));
        bar.enable_steady_tick(Duration::from_millis(200));
        loop {
            let all = query.stats();
            let (offered, forwarded) =
                all.iter().fold((0, 0), |sum, one| (sum.0 + one.offered, sum.1 + one.forwarded));
            bar.set_message(format!("{offered} rows offered, {forwarded} forwarded"));
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    })
}

fn report(all: &[Stats], elapsed: Duration) {
    for one in all {
        let share = 100.0 * one.forwarded as f64 / one.offered.max(1) as f64;
        let some = |count: usize, of: &str| match count {
            0 => String::new(),
            count => format!(", {count} {of}"),
        };
        eprintln!(
            "{}: {} rows offered, {} forwarded ({share:.3} %){}{}",
            one.program,
            one.offered,
            one.forwarded,
            some(one.bytes, "bytes on links"),
            some(one.repeated, "packets sent again"),
        );
    }
    eprintln!("{:.3} s", elapsed.as_secs_f64());
}

fn print(text: &str) -> Result<(), Error> {
    let written = io::stdout().write_all(text.as_bytes());
    written.map_err(|error| DataFusionError::IoError(error).into())
}

fn write(form: Form, batches: &[RecordBatch]) -> Result<(), Error> {
    let failed = |error| Error::from(DataFusionError::ArrowError(Box::new(error), None));
    match form {
        Form::Table => print(&format!("{}\n", pretty_format_batches(batches).map_err(failed)?)),
        Form::Csv => {
            let mut writer = datafusion::arrow::csv::Writer::new(io::stdout().lock());
            batches.iter().try_for_each(|batch| writer.write(batch)).map_err(failed)
        }
        Form::Json => {
            let mut writer = datafusion::arrow::json::ArrayWriter::new(io::stdout().lock());
            batches.iter().try_for_each(|batch| writer.write(batch)).map_err(failed)?;
            writer.finish().map_err(failed)?;
            print("\n")
        }
    }
}
