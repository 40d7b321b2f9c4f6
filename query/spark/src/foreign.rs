//! The native methods of the jar's class `Native`. What they hand out are numbers of what is open.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use jni::errors::ThrowRuntimeExAndDefault;
use jni::objects::{JByteArray, JLongArray, JObject, JString};
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, EnvUnowned, jni_mangle};
use netfold_net::{QueryPlace, Token, Totals};
use netfold_num::{ExactFormat, Sum};
use netfold_wire::Sums;

use crate::attempt::{Attempt, AttemptSpec, Batch, Role};
use crate::driver::{DriverSwitch, Program};
use crate::error::Error;
use crate::table::Table;
use crate::totals::{longs as longs_of, longs_of_group};
use crate::values::{Kind, Values};

static SWITCHES: LazyLock<Table<DriverSwitch>> = LazyLock::new(|| Table::new("switch"));
static ATTEMPTS: LazyLock<Table<Attempt>> = LazyLock::new(|| Table::new("attempt"));

/// Runs a native method; an error is a `RuntimeException`.
fn call<'a, T: Default>(
    mut env: EnvUnowned<'a>,
    f: impl FnOnce(&mut Env<'a>) -> Result<T, Error>,
) -> T {
    env.with_env(f).resolve::<ThrowRuntimeExAndDefault>()
}

fn longs(env: &Env<'_>, array: &JLongArray<'_>, rows: usize) -> Result<Vec<i64>, Error> {
    let mut values = vec![0; if array.is_null() { 0 } else { rows }];
    if !values.is_empty() {
        array.get_region(env, 0, &mut values)?;
    }
    Ok(values)
}

fn bytes(env: &Env<'_>, array: &JByteArray<'_>, rows: usize) -> Result<Vec<u8>, Error> {
    let mut values = vec![0; rows];
    array.get_region(env, 0, &mut values)?;
    Ok(values.into_iter().map(|byte: i8| byte as u8).collect())
}

/// Starts a switch in this process, which tasks reach at `host`.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn start(
    env: EnvUnowned<'_>,
    _: JObject<'_>,
    listen: JString<'_>,
    host: JString<'_>,
    memory: jlong,
    timeout_ms: jlong,
) -> jlong {
    call(env, |env| {
        let (listen, host) = (listen.try_to_string(env)?, host.try_to_string(env)?);
        let timeout = Duration::from_millis(timeout_ms as u64);
        Ok(SWITCHES.add(DriverSwitch::start(&listen, &host, memory as u64, timeout)?))
    })
}

/// Takes a switch that runs at an address; the token may be empty.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn at(
    env: EnvUnowned<'_>,
    _: JObject<'_>,
    address: JString<'_>,
    token: JString<'_>,
    memory: jlong,
    timeout_ms: jlong,
) -> jlong {
    call(env, |env| {
        let address = address.try_to_string(env)?;
        let token = Token::new(&token.try_to_string(env)?).ok();
        let timeout = Duration::from_millis(timeout_ms as u64);
        Ok(SWITCHES.add(DriverSwitch::at(&address, token, memory as u64, timeout)))
    })
}

/// Returns `HOST:PORT` of a switch.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn address<'a>(env: EnvUnowned<'a>, _: JObject<'a>, switch: jlong) -> JString<'a> {
    call(env, |env| {
        let address = SWITCHES.with(switch, |switch| Ok(switch.address().to_owned()))?;
        Ok(JString::from_str(env, address)?)
    })
}

/// Takes in a query; its program is a number and what belongs to it.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn admit(
    env: EnvUnowned<'_>,
    _: JObject<'_>,
    switch: jlong,
    program: JLongArray<'_>,
    partitions: jint,
) -> jint {
    call(env, |env| {
        let program = program_of(&longs(env, &program, 4)?)?;
        SWITCHES.with(switch, |switch| Ok(switch.admit(program, partitions as u32)?.into()))
    })
}

/// Returns the place of a query as a text.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn place<'a>(env: EnvUnowned<'a>, _: JObject<'a>, switch: jlong, query: jint) -> JString<'a> {
    call(env, |env| {
        let place = SWITCHES.with(switch, |switch| Ok(switch.place(query as u16)))?;
        Ok(JString::from_str(env, place.ok_or(Error::Closed("query"))?.to_string())?)
    })
}

fn program_of(numbers: &[i64]) -> Result<Program, Error> {
    Ok(match *numbers {
        [0, n, kind, _] => Program::Top { n: n as u32, kind: Kind::numbered(kind)? },
        [1, rows, width, _] => Program::Distinct { rows: rows as u32, width: width as u8 },
        [2, rows, width, exact] => {
            Program::Extreme { rows: rows as u32, width: width as u8, exact: exact != 0 }
        }
        [3, words, ..] => Program::Join { words: words as u32 },
        [4, rows, width, columns] => {
            Program::Sum { rows: rows as u32, width: width as u8, sums: sums_of(columns)? }
        }
        _ => return Err(Error::Unknown(format!("the program {numbers:?}"))),
    })
}

/// Returns the sums of columns: their number is the lowest byte, and the bits behind it are set for
/// those of `f64`.
fn sums_of(columns: i64) -> Result<Sums, Error> {
    let sum = |at: i64| match columns >> (8 + at) & 1 {
        0 => Sum::Integer,
        _ => Sum::Exact(ExactFormat::F64),
    };
    let sums: Vec<Sum> = (0..columns & 0xff).map(sum).collect();
    Sums::new(&sums).ok_or_else(|| Error::Unknown(format!("sums of {} columns", sums.len())))
}

/// Returns the number of the first partition of a join that is pruned.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn first_probe(env: EnvUnowned<'_>, _: JObject<'_>) -> jint {
    call(env, |_| Ok(DriverSwitch::first_probe() as jint))
}

/// Says how many partitions fill a join's filter.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn fills(env: EnvUnowned<'_>, _: JObject<'_>, switch: jlong, query: jint, partitions: jint) {
    call(env, |_| {
        SWITCHES.with(switch, |switch| {
            switch.fills(query as u16, partitions as u32);
            Ok(())
        })
    });
}

/// Waits until a join's filter is sealed; returns whether it is.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn await_sealed(
    env: EnvUnowned<'_>,
    _: JObject<'_>,
    switch: jlong,
    query: jint,
    timeout_ms: jlong,
) -> jboolean {
    call(env, |_| {
        // Others may use the switch meanwhile.
        let seal = SWITCHES.with(switch, |switch| Ok(switch.seal(query as u16)))?;
        let timeout = Duration::from_millis(timeout_ms as u64);
        Ok(seal.is_some_and(|seal| seal.wait(timeout).is_some()))
    })
}

/// Waits for the totals of a sum. Returns how many longs they are, or -1 if they are not there yet.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn await_totals(
    env: EnvUnowned<'_>,
    _: JObject<'_>,
    switch: jlong,
    query: jint,
    timeout_ms: jlong,
) -> jint {
    call(env, |_| {
        let Some(totals) = totals_of(switch, query, timeout_ms)? else { return Ok(-1) };
        let longs = totals.len() * longs_of_group(&totals);
        jint::try_from(longs).map_err(|_| Error::Totals("they are too many".into()))
    })
}

/// Returns the totals of a sum, if they are there in time.
fn totals_of(switch: jlong, query: jint, timeout_ms: jlong) -> Result<Option<Arc<Totals>>, Error> {
    // Others may use the switch meanwhile.
    let outcome = SWITCHES.with(switch, |switch| Ok(switch.totals(query as u16)))?;
    let outcome = outcome.ok_or_else(|| Error::Totals("the query has ended".into()))?;
    outcome.wait(Duration::from_millis(timeout_ms as u64)).transpose().map_err(Error::Totals)
}

/// Copies the totals of a sum that are there. They are refused if a partition is of another attempt
/// than that whose rows the driver has.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn take_totals(
    env: EnvUnowned<'_>,
    _: JObject<'_>,
    switch: jlong,
    query: jint,
    attempts: JLongArray<'_>,
    totals: JLongArray<'_>,
) {
    call(env, |env| {
        let there = totals_of(switch, query, 0)?;
        let there = there.ok_or_else(|| Error::Totals("they are not there yet".into()))?;
        let attempts = longs(env, &attempts, attempts.len(env)?)?;
        let attempts: Vec<u32> = attempts.iter().map(|at| Attempt::number(*at as u64)).collect();
        if let Some(partition) = there.mismatch(&attempts) {
            let why =
                format!("Spark took another attempt of partition {partition} than the switch");
            return Err(Error::Totals(why));
        }
        Ok(totals.set_region(env, 0, &longs_of(&there))?)
    });
}

/// Keeps a query until another one needs its room.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn retire(env: EnvUnowned<'_>, _: JObject<'_>, switch: jlong, query: jint) {
    call(env, |_| {
        SWITCHES.with(switch, |switch| {
            switch.retire(query as u16);
            Ok(())
        })
    });
}

/// Ends a query.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn release(env: EnvUnowned<'_>, _: JObject<'_>, switch: jlong, query: jint) {
    call(env, |_| {
        SWITCHES.with(switch, |switch| {
            switch.release(query as u16);
            Ok(())
        })
    });
}

/// Stops a switch.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn stop(env: EnvUnowned<'_>, _: JObject<'_>, switch: jlong) {
    call(env, |_| {
        drop(SWITCHES.take(switch));
        Ok(())
    });
}

/// Opens an attempt.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn open(
    env: EnvUnowned<'_>,
    _: JObject<'_>,
    place: JString<'_>,
    numbers: JLongArray<'_>,
) -> jlong {
    call(env, |env| {
        let place = place.try_to_string(env)?.parse()?;
        let spec = spec_of(place, &longs(env, &numbers, 9)?)?;
        Ok(ATTEMPTS.add(Attempt::open(&spec)?))
    })
}

fn spec_of(place: QueryPlace, numbers: &[i64]) -> Result<AttemptSpec, Error> {
    let &[partition, attempt, timeout_ms, role, keys, kind, descending, nulls_first, exact] =
        numbers
    else {
        return Err(Error::Unknown(format!("an attempt of {} numbers", numbers.len())));
    };
    let values = match (role, kind) {
        // A program without columns, or one that adds them.
        (2, _) | (_, -1) => None,
        (_, kind) => Some(Values {
            kind: Kind::numbered(kind)?,
            descending: descending != 0,
            nulls_first: nulls_first != 0,
            exact: exact != 0,
        }),
    };
    let role = match role {
        0 => Role::Pruned(values),
        1 => Role::Fills,
        // It has no order, and says how many columns there are in the place of one.
        2 => Role::Added(kind as u8),
        role => return Err(Error::Unknown(format!("the role {role}"))),
    };
    Ok(AttemptSpec {
        place,
        partition: partition as u32,
        attempt: attempt as u64,
        role,
        keys: keys != 0,
        timeout: Duration::from_millis(timeout_ms as u64),
    })
}

/// Offers rows, and sets the bits of those that survive.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn offer(
    env: EnvUnowned<'_>,
    _: JObject<'_>,
    attempt: jlong,
    rows: jint,
    keys: JLongArray<'_>,
    words: JLongArray<'_>,
    flags: JByteArray<'_>,
    survivors: JLongArray<'_>,
) {
    call(env, |env| {
        let rows = rows as usize;
        let batch = Columns::read(env, (rows, rows), &keys, &words, &flags)?;
        let mut bits = vec![0; rows.div_ceil(64)];
        ATTEMPTS.with(attempt, |attempt| attempt.offer(&batch.view(), &mut bits))?;
        let bits: Vec<i64> = bits.into_iter().map(|word| word as i64).collect();
        Ok(survivors.set_region(env, 0, &bits)?)
    });
}

/// Puts the keys of rows into the filter of a join, or has rows of so many columns added.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn send(
    env: EnvUnowned<'_>,
    _: JObject<'_>,
    attempt: jlong,
    rows: jint,
    columns: jint,
    keys: JLongArray<'_>,
    words: JLongArray<'_>,
    flags: JByteArray<'_>,
) {
    call(env, |env| {
        let (rows, columns) = (rows as usize, columns as usize);
        let batch = Columns::read(env, (rows, rows * columns), &keys, &words, &flags)?;
        ATTEMPTS.with(attempt, |attempt| attempt.send(&batch.view()))
    });
}

/// Ends an attempt that has sent all of its rows.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn finish(env: EnvUnowned<'_>, _: JObject<'_>, attempt: jlong) {
    call(env, |_| ATTEMPTS.take(attempt).ok_or(Error::Closed("attempt"))?.finish());
}

/// Closes an attempt; one that is closed stays closed.
#[jni_mangle("org.apache.spark.sql.netfold.Native")]
pub fn close(env: EnvUnowned<'_>, _: JObject<'_>, attempt: jlong) {
    call(env, |_| {
        drop(ATTEMPTS.take(attempt));
        Ok(())
    });
}

/// Columns of rows as the jar has them.
struct Columns {
    keys: Vec<u64>,
    words: Vec<i64>,
    flags: Vec<u8>,
}

impl Columns {
    fn read(
        env: &Env<'_>,
        (rows, word_count): (usize, usize),
        keys: &JLongArray<'_>,
        words: &JLongArray<'_>,
        flags: &JByteArray<'_>,
    ) -> Result<Self, Error> {
        let keys = longs(env, keys, rows)?.into_iter().map(|key| key as u64).collect();
        Ok(Self { keys, words: longs(env, words, word_count)?, flags: bytes(env, flags, rows)? })
    }

    fn view(&self) -> Batch<'_> {
        Batch { keys: &self.keys, words: &self.words, flags: &self.flags }
    }
}
