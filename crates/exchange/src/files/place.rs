//! Where the file of a memory lies: a function of the memory alone, so that two branches agree.

use mnemic_model::{Body, Digest, Kind, Namespace, Version};

/// Names that the layout gives a meaning; a namespace of such a name gets an underscore.
pub(super) const RESERVED: &[&str] = &[
    "episodic",
    "semantic",
    "skills",
    "ledgers",
    "handoffs",
    "learnings",
    "records",
    "solutions",
    "knowledge",
];

/// Longer names are cut and told apart by a digest: file systems stop at 255 bytes.
const LONGEST_NAME: usize = 120;

/// A path below the root, with `/`.
pub type Place = String;

/// Where the file of this version lies; none for secrets, which never leave the vault.
pub fn place_of(version: &Version) -> Option<Place> {
    let content = &version.content;
    let name = file_name(version.id.as_str());
    let below = match &content.body {
        Body::Secret(_) => return None,
        Body::Episode(_) => {
            let day = content.valid.from().to_jiff().strftime("%Y-%m-%d").to_string();
            format!("episodic/{}/task-{name}.json", file_name(&day))
        }
        Body::Pattern(_) => format!("semantic/patterns/{name}.json"),
        Body::AntiPattern(_) => format!("semantic/anti-patterns/{name}.json"),
        Body::Fact(_) => format!("semantic/facts/{name}.json"),
        Body::Decision(_) => format!("semantic/decisions/{name}.json"),
        Body::Skill(skill) => {
            format!("skills/{}/SKILL.md", slug(&skill.name, version.id.as_str()))
        }
        Body::Ledger(_) => format!("ledgers/{name}.json"),
        Body::Handoff(_) => format!("handoffs/{name}.json"),
        other => format!("records/{}/{name}.json", other.kind()),
    };
    // Namespaces are declared at the root, wherever they lie themselves.
    let namespace = match content.kind() {
        Kind::Namespace => String::new(),
        _ => directory_of(&content.scope.namespace),
    };
    Some(format!("{namespace}{below}"))
}

/// The directory of a namespace, with its slash; the root has none.
pub(super) fn directory_of(namespace: &Namespace) -> String {
    if namespace.is_root() {
        return String::new();
    }
    let parts = namespace.as_str().split('/').map(|part| match part {
        part if RESERVED.contains(&part) || part.starts_with(['_', '.']) || part.is_empty() => {
            format!("_{part}")
        }
        part => part.to_owned(),
    });
    parts.map(|part| part + "/").collect()
}

/// The namespace that a directory stands for, read back.
pub(super) fn namespace_of(directory: &str) -> Option<Namespace> {
    let parts: Vec<&str> = directory
        .split('/')
        .filter(|part| !part.is_empty())
        .map(|part| part.strip_prefix('_').unwrap_or(part))
        .collect();
    match parts.as_slice() {
        [] => Some(Namespace::root()),
        parts => Namespace::parse(&parts.join("/")).ok(),
    }
}

/// The name that a skill goes by in the Agent Skills format: lower case, digits, single hyphens.
pub(super) fn slug(name: &str, id: &str) -> String {
    if let Some(given) = id.strip_prefix("skill-").filter(|given| is_slug(given) && !is_ours(given))
    {
        return given.to_owned();
    }
    let mut slug = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        match c {
            'a'..='z' | '0'..='9' => slug.push(c),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    slug.truncate(40);
    let slug = slug.trim_matches('-');
    // Two branches may each add a skill of one name: the digest of the id keeps them apart.
    let mark = &Digest::of("slug", [id.as_bytes()]).to_hex()[..6];
    if slug.is_empty() { format!("skill-{mark}") } else { format!("{slug}-{mark}") }
}

fn is_slug(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=64).contains(&text.len())
        && text.chars().all(fits)
        && !text.starts_with('-')
        && !text.ends_with('-')
        && !text.contains("--")
}

/// Twelve random characters say nothing to a person.
fn is_ours(rest: &str) -> bool {
    rest.len() == 12 && !rest.contains('-') && rest.bytes().any(|byte| byte.is_ascii_digit())
}

/// An id as a file name: what could mean something to a file system is written as `%XX`.
pub(super) fn file_name(id: &str) -> String {
    let mut name = String::new();
    for c in id.chars() {
        match c {
            '-' | '_' => name.push(c),
            '.' if !name.is_empty() => name.push(c),
            c if c.is_ascii_alphanumeric() => name.push(c),
            c => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    name.push_str(&format!("%{byte:02X}"));
                }
            }
        }
    }
    if name.len() > LONGEST_NAME {
        let mark = &Digest::of("file name", [id.as_bytes()]).to_hex()[..8];
        name.truncate(LONGEST_NAME);
        name.push_str(&format!("~{mark}"));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_nothing_that_a_file_system_would_read() {
        for (id, name) in [
            ("sem-001", "sem-001"),
            ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
            ("a/b", "a%2Fb"),
            ("ü", "%C3%BC"),
        ] {
            assert_eq!(file_name(id), name);
        }
        assert!(file_name(&"/".repeat(200)).len() < 140);
        assert_ne!(file_name(&"/".repeat(199)), file_name(&"/".repeat(200)));
    }

    #[test]
    fn skills_get_names_that_hosts_accept() {
        assert_eq!(slug("whatever", "skill-api-implementation"), "api-implementation");
        let odd = slug("  Deploy — the API!! ", "skill-0123456789ab");
        assert!(odd.starts_with("deploy-the-api-") && is_slug(&odd), "{odd}");
        assert!(is_slug(&slug("東京", "x")), "a name without a letter of theirs");
    }

    #[test]
    fn namespaces_read_back_from_their_directories() {
        for name in ["default", "web/ui", "semantic", "_x", "räume/7"] {
            let namespace = Namespace::parse(name).expect("a name");
            assert_eq!(namespace_of(&directory_of(&namespace)), Some(namespace), "{name}");
        }
    }
}
