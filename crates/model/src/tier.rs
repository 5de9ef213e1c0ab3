//! How strongly a memory asks to be read.

use crate::invalid::named;

named! {
    /// From what must always be read to what is kept only to be found.
    Tier, "tier" {
        Mandate = "mandate",
        Guardrail = "guardrail",
        Reference = "reference",
        Archive = "archive",
    }
}
