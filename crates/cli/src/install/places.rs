//! Where each host keeps its files, for one person or for one project.

use super::mcp::Shape;
use super::{Part, Program};
use crate::hooks::Host;
use crate::report;
use crate::settings::environment;
use mnemic_engine::Result;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// For whom a host is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// In all of a person's projects.
    User,
    /// In this repository, for everybody who works in it.
    Project,
}

/// A file of a host and what goes into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) path: PathBuf,
    pub(crate) parts: Vec<Part>,
}

impl Target {
    fn new(path: PathBuf, part: Part) -> Target {
        Target { path, parts: vec![part] }
    }

    /// The programs that our entries in this file name, each once.
    pub(crate) fn programs(&self) -> Vec<String> {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mut programs: Vec<String> =
            self.parts.iter().flat_map(|part| part.programs(text)).collect();
        programs.sort();
        programs.dedup();
        programs
    }
}

/// The directories that all of this starts from.
#[derive(Debug, Clone)]
pub(crate) struct Homes {
    pub(crate) home: PathBuf,
    pub(crate) config: PathBuf,
    pub(crate) claude: Option<PathBuf>,
    pub(crate) codex: Option<PathBuf>,
    /// The top of the project.
    pub(crate) project: PathBuf,
}

impl Homes {
    pub(crate) fn find(project: &Path) -> Result<Homes> {
        let absolute = |name: &str| environment::path(name).filter(|path| path.is_absolute());
        let home = absolute(environment::HOME).ok_or_else(|| {
            report::invalid("there is no home directory to find your agents in", "set HOME")
        })?;
        let config = absolute(environment::XDG_CONFIG_HOME);
        Ok(Homes {
            config: config.unwrap_or_else(|| home.join(".config")),
            claude: absolute(environment::CLAUDE_CONFIG_DIR),
            codex: absolute(environment::CODEX_HOME),
            home,
            project: project.to_owned(),
        })
    }

    fn codex(&self) -> PathBuf {
        self.codex.clone().unwrap_or_else(|| self.home.join(".codex"))
    }

    fn claude(&self) -> PathBuf {
        self.claude.clone().unwrap_or_else(|| self.home.join(".claude"))
    }

    fn claude_servers(&self) -> PathBuf {
        match &self.claude {
            Some(dir) => dir.join(".claude.json"),
            None => self.home.join(".claude.json"),
        }
    }

    /// Whether the host seems to be in use here.
    pub(crate) fn has(&self, host: Host) -> bool {
        match host {
            Host::ClaudeCode => self.claude().is_dir(),
            Host::Codex => self.codex().is_dir(),
            Host::Gemini => self.home.join(".gemini").is_dir(),
            Host::Cursor => self.home.join(".cursor").is_dir(),
            Host::OpenCode => self.config.join("opencode").is_dir(),
        }
    }

    /// The files that connect a host.
    pub(crate) fn targets(&self, host: Host, scope: Scope) -> Vec<Target> {
        let is_user = scope == Scope::User;
        let base = if is_user { &self.home } else { &self.project };
        let plain = Part::McpJson { under: "mcpServers", shape: Shape::Plain };
        let typed = Part::McpJson { under: "mcpServers", shape: Shape::Typed };
        let listed = Part::McpJson { under: "mcp", shape: Shape::Listed };
        match host {
            Host::ClaudeCode => {
                let dir = if is_user { self.claude() } else { base.join(".claude") };
                let servers = if is_user { self.claude_servers() } else { base.join(".mcp.json") };
                vec![
                    Target::new(dir.join("settings.json"), Part::Hooks(host)),
                    Target::new(servers, typed),
                ]
            }
            Host::Codex => {
                let dir = if is_user { self.codex() } else { base.join(".codex") };
                vec![
                    Target::new(dir.join("hooks.json"), Part::Hooks(host)),
                    Target::new(dir.join("config.toml"), Part::McpToml),
                ]
            }
            Host::Gemini => {
                let path = base.join(".gemini").join("settings.json");
                vec![Target { path, parts: vec![Part::Hooks(host), plain] }]
            }
            Host::Cursor => {
                let dir = base.join(".cursor");
                vec![
                    Target::new(dir.join("hooks.json"), Part::FlatHooks(host)),
                    Target::new(dir.join("mcp.json"), plain),
                ]
            }
            Host::OpenCode => {
                let dir = self.config.join("opencode");
                let plugins = if is_user { dir.clone() } else { base.join(".opencode") };
                let config = if is_user { dir } else { base.clone() };
                vec![
                    Target::new(plugins.join("plugins").join("mnemic.js"), Part::Plugin),
                    Target::new(opencode(&config), listed),
                ]
            }
        }
    }
}

/// OpenCode reads its configuration under two names: the one that we are in, else the one that is
/// there.
fn opencode(dir: &Path) -> PathBuf {
    let [plain, commented] = ["opencode.json", "opencode.jsonc"].map(|name| dir.join(name));
    let names_us =
        |path: &Path| std::fs::read_to_string(path).is_ok_and(|text| text.contains("\"mnemic\""));
    let ours = names_us(&commented) && !names_us(&plain);
    if ours || (commented.exists() && !plain.exists()) { commented } else { plain }
}

/// The program that hosts shall start: this one by the path that people call it by, or by name in
/// what others read too.
pub(crate) fn program(scope: Scope) -> Result<Program> {
    if scope == Scope::Project {
        return Ok(Program::new("mnemic"));
    }
    let path = std::env::current_exe()
        .map_err(|cause| report::file("find", "the program itself", cause))?;
    let dirs = std::env::var_os("PATH").unwrap_or_default();
    let path = on_path(&path, &dirs).unwrap_or(path);
    let path = path.into_os_string().into_string().map_err(|path| {
        report::invalid(
            format!("`{}` cannot be written into a host's file", path.display()),
            "put mnemic where the path is plain text",
        )
    })?;
    Ok(Program::new(path))
}

/// The same program where a shell finds it. An update changes what a link points to, and the file
/// behind it may be gone tomorrow.
fn on_path(program: &Path, dirs: &OsStr) -> Option<PathBuf> {
    let itself = program.canonicalize().ok()?;
    std::env::split_paths(dirs)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join("mnemic"))
        .find(|path| path.canonicalize().is_ok_and(|path| path == itself))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_on_the_path_is_kept_as_it_is_called() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let place = |name: &str| {
            let place = dir.path().join(name);
            std::fs::create_dir_all(&place).expect("a directory");
            place
        };
        let (versions, bin, other) = (place("versions/1"), place("bin"), place("other"));
        let program = versions.join("mnemic");
        std::fs::write(&program, "").expect("a file");
        std::fs::write(other.join("mnemic"), "").expect("a file");
        std::os::unix::fs::symlink(&program, bin.join("mnemic")).expect("a link");
        let path = |dirs: &[&Path]| std::env::join_paths(dirs).expect("a path");
        let found = |dirs: &[&Path]| on_path(&program, &path(dirs));
        assert_eq!(found(&[&other, &bin]), Some(bin.join("mnemic")));
        assert_eq!(found(&[&versions, &bin]), Some(program.clone()));
        assert_eq!(found(&[&other, Path::new("relative")]), None);
        assert_eq!(found(&[]), None);
    }
}
