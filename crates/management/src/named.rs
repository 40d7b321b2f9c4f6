//! Values that messages call by their names: serde's functions for types with `Display` and
//! `FromStr`.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

pub fn serialize<T: Display, S: Serializer>(value: &T, output: S) -> Result<S::Ok, S::Error> {
    output.collect_str(value)
}

pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    input: D,
) -> Result<T, D::Error> {
    String::deserialize(input)?.parse().map_err(D::Error::custom)
}
