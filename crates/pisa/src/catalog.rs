//! The programs by name, as commands ask for them, and the files that are made of them.

mod by_packet;
mod compiled;
mod files;
mod includes;
mod make;
mod names;
mod over_roce;
mod published;
mod request;
mod tables;

pub use self::by_packet::{ByPacket, Passes};
pub use self::compiled::{COMPILED, COMPILER, Compiled};
pub use self::files::{emit, files};
pub use self::make::{Made, example_address, example_switch};
pub use self::names::{Dialect, Name, Record, Rows};
pub use self::request::{MOST_ELEMENTS, MOST_SLOTS, MOST_WORKERS, Request, RequestError};
