//! Streams of messages for the multicast engine, the parser and the deparser, word by word
//! (R-CGRA-25 to R-CGRA-27).

use rand::{RngExt, SeedableRng};

use super::{Dice, Vectors, word};

/// Most words of a header, and records between two formats.
const MOST_HEADER: usize = 8;
const RECORDS: u32 = 400;

/// A beat of a stream; `empty` and `user` are there for some units.
#[derive(Clone, Copy, Debug, Default)]
struct Beat {
    data: u32,
    last: bool,
    empty: bool,
    user: [u32; 2],
}

/// A field of a header: its word, its lowest bit, and its bits.
#[derive(Clone, Copy, Debug, Default)]
struct Field {
    word: usize,
    low: u32,
    bits: u32,
}

/// The places of fields in a header.
#[derive(Clone, Debug, Default)]
struct Format {
    words: usize,
    fields: [Field; 4],
}

impl Format {
    fn draw(dice: &mut Dice) -> Self {
        let words = dice.random_range(1..=MOST_HEADER);
        let fields = std::array::from_fn(|_| {
            let bits = dice.random_range(1..=16);
            // A few are behind the header, as of a format without the field.
            let word = dice.random_range(0..=words);
            Field { word, low: dice.random_range(0..=32 - bits), bits }
        });
        Self { words, fields }
    }

    /// Words of a unit's inputs: header, fields.
    fn inputs(&self) -> [u32; 3] {
        let fields = self.fields.iter().rev().fold(0_u64, |all, field| {
            let Field { word, low, bits } = *field;
            all << 13 | u64::from(bits - 1) << 9 | u64::from(low) << 4 | word as u64
        });
        [self.words as u32, fields as u32, (fields >> 32) as u32]
    }

    /// Returns the fields of a header.
    fn found(&self, header: &[u32]) -> [u32; 4] {
        self.fields.map(|field| {
            let word = header.get(field.word).copied().unwrap_or(0);
            (0..field.bits).map(|bit| (word >> (field.low + bit) & 1) << bit).sum()
        })
    }

    /// Puts values of the fields into a header; of fields that overlap the later ones.
    fn put(&self, header: &mut [u32], values: [u32; 4]) {
        for (field, value) in self.fields.iter().zip(values) {
            let Some(word) = header.get_mut(field.word) else { continue };
            for bit in 0..field.bits {
                let there = 1 << (field.low + bit);
                *word = if value >> bit & 1 == 1 { *word | there } else { *word & !there };
            }
        }
    }
}

fn packed(fields: [u32; 4]) -> [u32; 2] {
    [fields[0] | fields[1] << 16, fields[2] | fields[3] << 16]
}

fn unpacked(user: [u32; 2]) -> [u32; 4] {
    [user[0] & 0xFFFF, user[0] >> 16, user[1] & 0xFFFF, user[1] >> 16]
}

/// Outputs of a stream: a beat, if there is one.
fn shown(beat: Option<Beat>) -> (bool, Beat) {
    (beat.is_some(), beat.unwrap_or_default())
}

/// Messages for the multicast engine.
pub struct Copies {
    dice: Dice,
    begun: bool,
    beat: Beat,
    /// Ports that have not taken the beat that is there.
    left: u32,
    /// Ports of the message, if some of it has been taken.
    ports: Option<u32>,
}

impl Copies {
    /// Draws from a seed.
    pub fn new(seed: u64) -> Self {
        let dice = Dice::seed_from_u64(seed);
        Self { dice, begun: false, beat: Beat::default(), left: 0, ports: None }
    }
}

impl Vectors for Copies {
    fn next(&mut self, record: &mut Vec<u32>) {
        let dice = &mut self.dice;
        let begins = !std::mem::replace(&mut self.begun, true) || dice.random_ratio(1, 500);
        let (offers, data, last) = (dice.random(), word(dice, 32), dice.random_ratio(1, 3));
        let (user, ready) = (dice.random_range(0..256), dice.random_range(0..256_u32));
        record.extend([(!begins).into(), u32::from(offers), data, last.into(), user, ready]);
        let mut waits = self.left & !ready;
        if begins {
            (self.left, self.ports) = (0, None);
        } else if offers && waits == 0 {
            let ports = self.ports.unwrap_or(user);
            self.left = ports;
            self.ports = (!last).then_some(ports);
            self.beat = Beat { data, last, ..Beat::default() };
        } else {
            self.left = waits;
        }
        waits = self.left & !ready;
        let (_, beat) = shown((self.left != 0).then_some(self.beat));
        record.extend([(waits == 0).into(), self.left, beat.data, beat.last.into()]);
    }
}

/// Messages for the parser.
pub struct Headers {
    dice: Dice,
    format: Format,
    records: u32,
    message: Vec<u32>,
    /// Words of the message that have been taken.
    taken: usize,
    out: Option<Beat>,
}

impl Headers {
    /// Draws from a seed.
    pub fn new(seed: u64) -> Self {
        let dice = Dice::seed_from_u64(seed);
        let format = Format::default();
        Self { dice, format, records: 0, message: Vec::new(), taken: 0, out: None }
    }

    /// Draws a message; some end within their header.
    fn draw(&mut self) {
        let words = if self.dice.random_ratio(1, 8) {
            self.dice.random_range(1..=self.format.words)
        } else {
            self.format.words + self.dice.random_range(0..5_usize)
        };
        self.message = (0..words).map(|_| word(&mut self.dice, 32)).collect();
        self.taken = 0;
    }
}

impl Vectors for Headers {
    fn next(&mut self, record: &mut Vec<u32>) {
        let begins = self.records.is_multiple_of(RECORDS);
        self.records += 1;
        if begins {
            self.format = Format::draw(&mut self.dice);
            self.out = None;
            self.draw();
        }
        let last = self.taken + 1 == self.message.len();
        let (offers, ready) = (self.dice.random_ratio(3, 4), self.dice.random_ratio(2, 3));
        record.push((!begins).into());
        record.extend(self.format.inputs());
        record.extend([offers.into(), self.message[self.taken], last.into(), ready.into()]);
        let takes = !begins && offers && (self.out.is_none() || ready);
        if ready {
            self.out = None;
        }
        if takes {
            let header = self.format.words;
            let user = packed(self.format.found(&self.message[..header.min(self.message.len())]));
            if self.taken >= header {
                let data = self.message[self.taken];
                self.out = Some(Beat { data, last, empty: false, user });
            } else if last && self.taken + 1 == header {
                self.out = Some(Beat { data: 0, last, empty: true, user });
            }
            self.taken += 1;
            if last {
                self.draw();
            }
        }
        let (valid, beat) = shown(self.out);
        let free = !valid || ready;
        record.extend([free.into(), valid.into(), beat.data, beat.last.into(), beat.empty.into()]);
        record.extend(beat.user);
    }
}

/// Payloads for the deparser.
pub struct Payloads {
    dice: Dice,
    format: Format,
    records: u32,
    header: Vec<u32>,
    beat: Beat,
    /// Words of the header that are in front of the payload.
    place: usize,
    out: Option<Beat>,
}

impl Payloads {
    /// Draws from a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            dice: Dice::seed_from_u64(seed),
            format: Format::default(),
            records: 0,
            header: vec![0; MOST_HEADER],
            beat: Beat::default(),
            place: 0,
            out: None,
        }
    }

    /// Draws a beat: the first one of a message, or one that follows.
    fn draw(&mut self, first: bool) {
        let dice = &mut self.dice;
        let empty = first && dice.random_ratio(1, 4);
        let user = if first { [dice.random(), dice.random()] } else { self.beat.user };
        let last = empty || dice.random_ratio(1, 3);
        self.beat = Beat { data: word(dice, 32), last, empty, user };
    }

    /// The word that stands next in a message.
    fn go_on(&mut self) {
        let (header, Beat { data, last, empty, user }) = (self.format.words, self.beat);
        if self.place < header {
            let mut words = self.header[..header].to_vec();
            self.format.put(&mut words, unpacked(user));
            let ends = empty && self.place + 1 == header;
            self.out = Some(Beat { data: words[self.place], last: ends, ..Beat::default() });
            self.place += 1;
            if ends {
                self.place = 0;
                self.draw(true);
            }
            return;
        }
        self.out = Some(Beat { data, last, ..Beat::default() });
        if last {
            self.place = 0;
        }
        self.draw(last);
    }
}

impl Vectors for Payloads {
    fn next(&mut self, record: &mut Vec<u32>) {
        // The first records of a format write the header.
        let number = (self.records % RECORDS) as usize;
        self.records += 1;
        let begins = number < MOST_HEADER;
        if number == 0 {
            self.format = Format::draw(&mut self.dice);
            (self.out, self.place) = (None, 0);
            self.draw(true);
        }
        let template = word(&mut self.dice, 32);
        if begins {
            self.header[number] = template;
        }
        let (offers, ready) = (self.dice.random_ratio(3, 4), self.dice.random_ratio(2, 3));
        let Beat { data, last, empty, user } = self.beat;
        record.push((!begins).into());
        record.extend(self.format.inputs());
        record.extend([begins.into(), number as u32 % MOST_HEADER as u32, template]);
        record.extend([offers.into(), data, last.into(), empty.into()]);
        record.extend(user);
        record.push(ready.into());
        let free = self.out.is_none() || ready;
        if ready {
            self.out = None;
        }
        if begins {
            self.out = None;
        } else if offers && free {
            self.go_on();
        }
        let (valid, out) = shown(self.out);
        // The beat of this record is still on the wires.
        let header = self.format.words;
        let takes = self.place == header || empty && self.place + 1 == header;
        let free = (!valid || ready) && takes;
        record.extend([free.into(), valid.into(), out.data, out.last.into()]);
    }
}
