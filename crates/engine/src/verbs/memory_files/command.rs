//! What the file memory tool of agents can be asked, as its clients spell it.

use serde::Deserialize;

/// One command on the tree at `/memories`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum MemoryFileCommand {
    View {
        path: String,
        /// First and last line, from 1; a last line of -1 is the end.
        #[serde(default)]
        view_range: Option<(i64, i64)>,
    },
    Create {
        path: String,
        file_text: String,
    },
    StrReplace {
        path: String,
        old_str: String,
        #[serde(default)]
        new_str: String,
    },
    Insert {
        path: String,
        /// After this line, from 1; 0 is the top.
        insert_line: i64,
        insert_text: String,
    },
    Delete {
        path: String,
    },
    Rename {
        old_path: String,
        new_path: String,
    },
}
