//! `netfold op`: operations of users are built, checked, tested and timed.

mod bench;
mod build;
pub(crate) mod flags;
mod report;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use netfold_net::{OperationLoader, OperationPolicy};
use netfold_ops::{
    Associative, Key, Limits, Loader, Operation, Runtime, Scope, TypedOperation, examine,
};
use netfold_settings::Settings;

use self::flags::Op;
use crate::error::Error;
use crate::{FAILURE, SUCCESS, terminal};

/// Runs the command.
///
/// # Errors
/// [`Error::File`] for a file that cannot be read, [`Error::Operation`] for an operation that is
/// refused or traps, [`Error::Build`] for one that cannot be built.
pub(crate) fn run(what: &Op) -> Result<i32, Error> {
    match what {
        Op::Build { source, out } => {
            let out = out.clone().unwrap_or_else(|| source.with_extension("wasm"));
            build::build(source, &out)?;
            show(&out)
        }
        Op::Show { module } => show(module),
        Op::Test { module, rounds, seed } => test(module, *rounds, *seed),
        Op::Sign { module, key_file } => sign(module, key_file),
        Op::Bench { module } => bench::run(&load(module)?, module),
        Op::Report { module, array } => report::run(&load(module)?, array),
    }
}

/// For `map_err`: something about the operation of this file.
pub(crate) fn wrong<E: std::fmt::Display>(module: &Path) -> impl Fn(E) -> Error {
    move |why| Error::Operation { path: module.into(), why: why.to_string() }
}

/// Admits an operation, as a switch does.
pub(crate) fn load(module: &Path) -> Result<Operation, Error> {
    let bytes = fs::read(module).map_err(|source| Error::File {
        what: "the operation",
        path: module.into(),
        source,
    })?;
    let runtime = Runtime::new().map_err(wrong(module))?;
    Operation::load(&runtime, &bytes, &Limits::default()).map_err(wrong(module))
}

fn show(module: &Path) -> Result<i32, Error> {
    let operation = load(module)?;
    let declaration = operation.declaration();
    let scope = match declaration.scope {
        Scope::Element => "single elements".into(),
        Scope::Message { elements } => format!("messages of at most {elements} elements"),
    };
    let associative = match declaration.associative {
        Associative::No => "not associative".into(),
        Associative::Yes => "associative".into(),
        Associative::Within(tolerance) => format!("associative within {tolerance:e}"),
    };
    let map = if operation.has_map() { "; results are mapped" } else { "" };
    let wire = declaration.wire.as_ref().map_or_else(String::new, |wire| {
        let lossless = if declaration.lossless { ", lossless" } else { "" };
        format!("travels as: {wire} ({} bytes{lossless})\n", wire.bytes())
    });
    let state = declaration.state.map_or_else(String::new, |bytes| {
        let answers = if operation.answers() { ", and answers requests" } else { "" };
        format!("keeps: at most {bytes} bytes from one call to the next{answers}\n")
    });
    let commutative = if declaration.commutative { "commutative" } else { "not commutative" };
    let order = if declaration.any_order() { "any order" } else { "rank order" };
    let identity = declaration.identity.as_deref().map_or_else(
        || "no identity".into(),
        |identity| format!("identity {}", declaration.element.describe(identity)),
    );
    terminal::say(&format!(
        "{name}: combines {scope} of {element} ({bytes} bytes)\n\
         claims: {associative}, {commutative}, {identity}; folded in {order}{map}\n\
         {wire}{state}sha256: {hash}\n\
         file: {path}, {length} bytes\n",
        name = declaration.name,
        element = declaration.element,
        bytes = declaration.element.bytes(),
        hash = operation.hash(),
        path = module.display(),
        length = fs::metadata(module).map_or(0, |file| file.len()),
    ))?;
    Ok(SUCCESS)
}

fn sign(module: &Path, key_file: &Path) -> Result<i32, Error> {
    let key = Key::new(&key_text(key_file)?).map_err(wrong(key_file))?;
    let out = module.with_extension("sig");
    let operation = load(module)?;
    fs::write(&out, key.sign(operation.module())).map_err(wrong(&out))?;
    terminal::say(&format!("{}: the signature of {}\n", out.display(), module.display()))?;
    Ok(SUCCESS)
}

/// Reads the key of the signatures of operations.
fn key_text(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::File {
        what: "the key of operations",
        path: path.into(),
        source,
    })
}

/// Returns what admits operations at a switch with these settings; `None` if it takes none.
///
/// # Errors
/// [`Error::File`] for a key that cannot be read, [`Error::Build`] for a policy without its key.
pub(crate) fn loader(settings: &Settings) -> Result<Option<Arc<dyn OperationLoader>>, Error> {
    let path = settings.ops_key_file.as_deref().filter(|_| settings.ops == OperationPolicy::Signed);
    let key = path.map(key_text).transpose()?;
    Loader::of_switch(settings.ops, key.as_deref()).map_err(|error| match path {
        Some(path) => wrong(path)(error),
        None => {
            Error::Build(format!("{error}: name its file (--ops-key-file, NETFOLD_OPS_KEY_FILE)"))
        }
    })
}

fn test(module: &Path, rounds: u32, seed: u64) -> Result<i32, Error> {
    let operation = load(module)?;
    let declaration = operation.declaration();
    let found = examine(&operation, rounds, seed).map_err(wrong(module))?;
    for example in &found {
        terminal::say(&format!(
            "{name}: a claim is false: {claim}\n{operands}\n",
            name = declaration.name,
            claim = example.claim,
            operands = example.describe(declaration),
        ))?;
    }
    if found.is_empty() {
        let name = &declaration.name;
        terminal::say(&format!(
            "{name}: no claim was disproved in {rounds} rounds, seed {seed}\n"
        ))?;
        return Ok(SUCCESS);
    }
    Ok(FAILURE)
}
