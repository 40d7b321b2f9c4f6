//! A client that means harm: it keeps joining jobs of its own with modules that are refused, or
//! have to be stopped. `bench/hostile.py` measures what another job has of it.
//!
//! `hostile ADDRESS` reads commands from its standard input, one a line: the name of a kind of
//! modules, with which it goes on until the next line, or `quiet`. It answers each with a line: how
//! often it has joined, was refused, and was told of a trap since the last.

mod modules;

use std::io::BufRead;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use self::modules::{Outcomes, harm, module};

/// Does harm until the next command.
fn until_told(commands: &Receiver<String>) -> Option<String> {
    match commands.try_recv() {
        Ok(command) => Some(command),
        Err(TryRecvError::Empty) => None,
        Err(TryRecvError::Disconnected) => Some("end".into()),
    }
}

fn main() {
    let address = std::env::args().nth(1).expect("an address");
    let (sender, commands) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let (mut command, mut number) = ("quiet".to_owned(), 0);
    loop {
        let mut outcomes = Outcomes::default();
        let next = if command == "quiet" {
            commands.recv().unwrap_or_else(|_| "end".into())
        } else {
            loop {
                number += 1;
                let Some(module) = module(&command, number) else { return };
                harm(&address, module, number, &mut outcomes);
                if let Some(next) = until_told(&commands) {
                    break next;
                }
            }
        };
        println!("{} {} {}", outcomes.joined, outcomes.refused, outcomes.trapped);
        if next == "end" {
            return;
        }
        command = next;
    }
}
