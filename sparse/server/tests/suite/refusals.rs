//! What a server refuses, and how it names it.
