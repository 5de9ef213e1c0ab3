//! Writes what is remembered in the formats that other tools read.
