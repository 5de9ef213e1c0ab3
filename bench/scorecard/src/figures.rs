//! What tests told about the rows: lines such as `R1: 300 kills, 0 lost`.

use super::Standing;
use super::rows::Row;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub(super) struct Figures {
    told: BTreeMap<String, BTreeSet<String>>,
    failed: BTreeSet<String>,
}

impl Figures {
    pub(super) fn of(output: &str) -> Figures {
        let mut figures = Figures::default();
        figures.read(output);
        figures
    }

    pub(super) fn read(&mut self, output: &str) {
        for (row, what) in output.lines().filter_map(figure) {
            self.told.entry(row.to_owned()).or_default().insert(what.to_owned());
        }
    }

    pub(super) fn failed(&mut self, row: &str) {
        self.failed.insert(row.to_owned());
    }

    pub(super) fn standing(&self, row: &Row) -> Standing {
        if self.failed.contains(row.name) {
            return Standing::Fails;
        }
        if self.told.contains_key(row.name) { Standing::Holds } else { Standing::Untried }
    }

    pub(super) fn told(&self, row: &Row) -> String {
        let told = self.told.get(row.name).into_iter().flatten();
        told.map(String::as_str).collect::<Vec<&str>>().join("; ")
    }
}

/// `R12: text` is a figure; anything may stand before it on a line that a test runner began.
fn figure(line: &str) -> Option<(&str, &str)> {
    let at = line.find('R').filter(|at| {
        *at == 0 || line[..*at].ends_with("... ") || line[..*at].trim_start().is_empty()
    })?;
    let (row, what) = line[at..].split_once(": ")?;
    let number = row.strip_prefix('R')?;
    let is_row =
        !number.is_empty() && number.len() <= 2 && number.bytes().all(|c| c.is_ascii_digit());
    is_row.then_some((row, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_from_other_lines() {
        assert_eq!(figure("R1: 300 kills, 0 lost"), Some(("R1", "300 kills, 0 lost")));
        assert_eq!(figure("test a ... R2: 150 cuts"), Some(("R2", "150 cuts")));
        for other in ["Running: x", "R: x", "R123: x", "Rx: y", "the R1: z", "R1 without a colon"] {
            assert_eq!(figure(other), None, "{other}");
        }
    }
}
