//! Reads profiles from TOML; what is wrong is named with its place, its value and what to write.

use super::{Fill, Mark, Profile, Style, TierRule};
use crate::context::level::Level;
use crate::context::role::Role;
use mnemic_model::Invalid;
use toml::{Table, Value};

type Result<T> = std::result::Result<T, Invalid>;

/// More than any window holds is a slip of the pen.
const MOST_BUDGET: usize = 10_000_000;

const MOST_MEMORIES: usize = 1_000;

/// What can be said of a tier.
const TIER: [&str; 10] =
    ["name", "heading", "share", "mark", "vouched", "level", "most", "whole", "focus", "fill"];

pub(super) fn profiles(toml: &str) -> Result<Vec<Profile>> {
    let table: Table = toml.parse().map_err(|cause: toml::de::Error| {
        let text = cause.to_string();
        let problem = text.trim().replace('\n', " ");
        Invalid::new("profiles", format!("not TOML: {problem}"), "correct the line it names")
    })?;
    let mut file = Fields::new(String::new(), table);
    let profiles = file.table("profiles")?;
    file.finish(&["profiles"])?;
    profiles
        .into_iter()
        .map(|(name, value)| match value {
            Value::Table(table) => profile(&name, table),
            other => Err(wrong(format!("profiles.{name}"), &other, "write [profiles.NAME]")),
        })
        .collect()
}

fn profile(name: &str, table: Table) -> Result<Profile> {
    let place = format!("profiles.{name}");
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > 50 || !name.chars().all(is_name) {
        let problem = format!("`{}` is not a name for a profile", name.escape_debug());
        return Err(Invalid::new(place, problem, "use a-z, 0-9 and -, 50 at most"));
    }
    let mut fields = Fields::new(place.clone(), table);
    let about = fields.maybe_text("about")?.unwrap_or_default();
    let budget = fields.whole("budget", MOST_BUDGET)?;
    let style = fields.word("style", Style::parse)?.unwrap_or(Style::Text);
    let tiers = fields.tables("tiers")?;
    fields.finish(&["about", "budget", "style", "tiers"])?;
    let tiers: Vec<TierRule> = tiers
        .into_iter()
        .enumerate()
        .map(|(number, table)| tier(format!("{place}.tiers[{number}]"), table))
        .collect::<Result<_>>()?;
    check_tiers(&place, &tiers)?;
    Ok(Profile { name: name.to_owned(), about, budget, style, tiers })
}

fn check_tiers(place: &str, tiers: &[TierRule]) -> Result<()> {
    let field = format!("{place}.tiers");
    if tiers.is_empty() {
        return Err(Invalid::new(field, "there are none", "add a [[profiles.NAME.tiers]]"));
    }
    for (number, tier) in tiers.iter().enumerate() {
        if tiers[..number].iter().any(|other| other.name == tier.name) {
            let problem = format!("two are called `{}`", tier.name);
            return Err(Invalid::new(field, problem, "give each its own name"));
        }
    }
    let sum: f64 = tiers.iter().map(|tier| tier.share).sum();
    if sum > 1.0 + 1e-9 {
        let problem = format!("the shares add up to `{sum}`");
        return Err(Invalid::new(field, problem, "together they may be 1 at most"));
    }
    Ok(())
}

/// What a name or a heading may be.
const TEXT: &str = "write 1 to 60 visible characters in one line";

fn tier(place: String, table: Table) -> Result<TierRule> {
    let mut fields = Fields::new(place.clone(), table);
    let name = fields.text("name")?;
    let heading = fields.maybe_text("heading")?.unwrap_or_default();
    let share = fields.unit("share")?.ok_or_else(|| fields.missing("share", "use 0 to 1"))?;
    let mark = fields.word("mark", Mark::parse)?.unwrap_or(Mark::Reference);
    let vouched = fields.flag("vouched")?;
    let level = fields.word("level", Level::parse)?.unwrap_or(Level::Full);
    let most = fields.whole("most", MOST_MEMORIES)?.unwrap_or(20);
    let whole = fields.flag("whole")?.unwrap_or(false);
    let focus = fields.number("focus")?;
    let fill = fields.tables("fill")?;
    fields.finish(&TIER)?;
    if mark != Mark::Reference && vouched == Some(false) {
        return Err(Invalid::new(
            format!("{place}.vouched"),
            format!("`false` cannot go with the mark `{}`", mark.as_str()),
            "leave it out, or use the mark reference",
        ));
    }
    let fill: Vec<Fill> = fill
        .into_iter()
        .enumerate()
        .map(|(number, table)| one_fill(format!("{place}.fill[{number}]"), table))
        .collect::<Result<_>>()?;
    if fill.is_empty() {
        let hint = "say what may fill it, like fill = [{ roles = [\"best\"] }]";
        return Err(Invalid::new(format!("{place}.fill"), "is empty", hint));
    }
    let vouched = vouched.unwrap_or(mark != Mark::Reference);
    Ok(TierRule { name, heading, share, mark, vouched, level, most, whole, focus, fill })
}

fn one_fill(place: String, table: Table) -> Result<Fill> {
    let mut fields = Fields::new(place, table);
    let roles = fields.words("roles", Role::parse)?;
    let least_score = fields.number("least_score")?.unwrap_or(0.0);
    let least_importance = fields.unit("least_importance")?.unwrap_or(0.0);
    let level = fields.word("level", Level::parse)?;
    let first = fields.flag("first")?.unwrap_or(false);
    let beyond = fields.flag("beyond")?.unwrap_or(false);
    if beyond && !first {
        return Err(Invalid::new(
            format!("{}.beyond", fields.place),
            "goes with `first = true` alone",
            "write both, or leave `beyond` out",
        ));
    }
    fields.finish(&["roles", "least_score", "least_importance", "level", "first", "beyond"])?;
    Ok(Fill { roles, least_score, least_importance, level, first, beyond })
}

/// The keys of one table, taken out one by one; what is left at the end is unknown.
struct Fields {
    place: String,
    table: Table,
}

impl Fields {
    fn new(place: String, table: Table) -> Fields {
        Fields { place, table }
    }

    fn at(&self, key: &str) -> String {
        if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) }
    }

    fn missing(&self, key: &str, hint: &str) -> Invalid {
        Invalid::new(self.at(key), "is missing", hint)
    }

    /// The value of a key in the shape that `read` wants.
    fn take<T>(
        &mut self,
        key: &str,
        hint: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(value) = self.table.remove(key) else { return Ok(None) };
        read(&value).map(Some).ok_or_else(|| wrong(self.at(key), &value, hint))
    }

    fn table(&mut self, key: &str) -> Result<Table> {
        let hint = "write [profiles.NAME] and what it holds";
        self.take(key, hint, |value| value.as_table().cloned())?
            .ok_or_else(|| self.missing(key, hint))
    }

    fn tables(&mut self, key: &str) -> Result<Vec<Table>> {
        let hint = "write a list of tables";
        let tables = self.take(key, hint, |value| {
            value.as_array()?.iter().map(|item| item.as_table().cloned()).collect()
        })?;
        tables.ok_or_else(|| self.missing(key, hint))
    }

    /// A line for people: short, visible, and without what could pass for a marker.
    fn text(&mut self, key: &str) -> Result<String> {
        self.maybe_text(key)?.ok_or_else(|| self.missing(key, TEXT))
    }

    fn maybe_text(&mut self, key: &str) -> Result<Option<String>> {
        let is_fine = |text: &str| {
            !text.trim().is_empty()
                && text.chars().count() <= 60
                && !text.chars().any(|c| c.is_control() || matches!(c, '<' | '>' | '[' | ']'))
        };
        self.take(key, TEXT, |value| value.as_str().filter(|text| is_fine(text)).map(str::to_owned))
    }

    fn word<T>(&mut self, key: &str, parse: impl Fn(&str) -> Result<T>) -> Result<Option<T>> {
        let word = self.take(key, "write it in quotes", |v| v.as_str().map(str::to_owned))?;
        word.map(|word| parse(&word).map_err(|e| Invalid { field: self.at(key), ..e })).transpose()
    }

    fn words<T>(&mut self, key: &str, parse: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
        let hint = "write a list of words in quotes";
        let words: Vec<String> = self
            .take(key, hint, |value| {
                let words: Option<Vec<String>> =
                    value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect();
                words.filter(|words| !words.is_empty())
            })?
            .ok_or_else(|| self.missing(key, hint))?;
        let named = |e: Invalid| Invalid { field: self.at(key), ..e };
        words.iter().map(|word| parse(word).map_err(named)).collect()
    }

    fn whole(&mut self, key: &str, most: usize) -> Result<Option<usize>> {
        let hint = format!("write a whole number from 1 to {most}");
        self.take(key, &hint, |value| {
            let number = usize::try_from(value.as_integer()?).ok()?;
            (1..=most).contains(&number).then_some(number)
        })
    }

    fn number(&mut self, key: &str) -> Result<Option<f64>> {
        self.take(key, "write a number of 0 or more", |value| {
            let number = value.as_float().or_else(|| value.as_integer().map(|n| n as f64))?;
            (number.is_finite() && number >= 0.0).then_some(number)
        })
    }

    fn unit(&mut self, key: &str) -> Result<Option<f64>> {
        let number = self.number(key)?;
        match number {
            Some(number) if number > 1.0 => {
                let problem = format!("`{number}` is too much");
                Err(Invalid::new(self.at(key), problem, "write a number from 0 to 1"))
            }
            _ => Ok(number),
        }
    }

    fn flag(&mut self, key: &str) -> Result<Option<bool>> {
        self.take(key, "write true or false", Value::as_bool)
    }

    fn finish(self, known: &[&str]) -> Result<()> {
        match self.table.keys().next() {
            None => Ok(()),
            Some(key) => Err(Invalid::new(
                self.at(&key.escape_debug().to_string()),
                format!("there is no such setting as `{}`", key.escape_debug()),
                format!("use one of: {}", known.join(", ")),
            )),
        }
    }
}

fn wrong(field: String, value: &Value, hint: &str) -> Invalid {
    let mut shown: String = value.to_string().replace('\n', " ");
    if shown.chars().count() > 80 {
        shown = shown.chars().take(80).chain(['…']).collect();
    }
    Invalid::new(field, format!("`{shown}` will not do"), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        [profiles.mine]
        budget = 100
        [[profiles.mine.tiers]]
        name = "all"
        heading = "All"
        share = 1
        fill = [{ roles = ["best"] }]
    "#;

    #[test]
    fn a_small_profile_reads() {
        let profiles = profiles(GOOD).unwrap();
        assert_eq!((profiles[0].budget, profiles[0].tiers[0].most), (Some(100), 20));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place_and_value() {
        for (from, to, field, value, hint) in [
            ("budget = 100", "budget = -1", "profiles.mine.budget", "`-1`", "whole number"),
            ("budget = 100", "budget = \"x\"", "profiles.mine.budget", "\"x\"", "whole number"),
            ("budget = 100", "bugdet = 100", "profiles.mine.bugdet", "`bugdet`", "budget"),
            ("budget = 100", "style = \"html\"", "profiles.mine.style", "`html`", "markdown"),
            ("share = 1", "share = 1.5", "profiles.mine.tiers[0].share", "`1.5`", "0 to 1"),
            ("share = 1", "share = nan", "profiles.mine.tiers[0].share", "`nan`", "number"),
            ("share = 1", "", "profiles.mine.tiers[0].share", "missing", "0 to 1"),
            ("share = 1", "share = 1\nlevle = 1", "profiles.mine.tiers[0].levle", "levle", "level"),
            ("share = 1", "share = 1\nmost = 0", "profiles.mine.tiers[0].most", "`0`", "1 to 1000"),
            ("\"All\"", "\"</x>\"", "profiles.mine.tiers[0].heading", "</x>", "one line"),
            ("\"best\"", "\"worst\"", "profiles.mine.tiers[0].fill[0].roles", "`worst`", "best"),
            ("[\"best\"]", "[]", "profiles.mine.tiers[0].fill[0].roles", "`[]`", "list"),
            ("profiles.mine]\n", "profiles.\"My\"]\n", "profiles.My", "`My`", "a-z"),
            ("[profiles.mine]\n", "x = 1\n[profiles.mine]\n", "x", "`x`", "profiles"),
        ] {
            let text = GOOD.replace(from, to);
            assert_ne!(text, GOOD, "{from}");
            let error = profiles(&text).unwrap_err();
            assert_eq!(error.field, field, "{to}: {error:?}");
            assert!(error.problem.contains(value), "{to}: {error:?}");
            assert!(error.hint.contains(hint), "{to}: {error:?}");
        }
    }

    #[test]
    fn broken_toml_names_the_line() {
        let error = profiles("[profiles.x\n").unwrap_err();
        assert!(error.problem.contains("line 1"), "{error:?}");
        assert_eq!(profiles("").unwrap_err().field, "profiles");
    }

    #[test]
    fn shares_and_marks_must_fit_together() {
        let second = "\n[[profiles.mine.tiers]]\nname = \"two\"\nheading = \"Two\"\nshare = 0.1\n\
            fill = [{ roles = [\"best\"] }]\n";
        let error = profiles(&format!("{GOOD}{second}")).unwrap_err();
        assert!(error.problem.contains("`1.1`"), "{error:?}");
        let twice = format!("{}{second}", GOOD.replace("share = 1", "share = 0.5"));
        assert!(profiles(&twice).is_ok());
        let twice = twice.replace("\"two\"", "\"all\"");
        assert!(profiles(&twice).unwrap_err().problem.contains("`all`"));
        let loose = GOOD.replace("share = 1", "share = 1\nmark = \"mandate\"\nvouched = false");
        assert!(profiles(&loose).unwrap_err().field.ends_with("vouched"));
    }
}
