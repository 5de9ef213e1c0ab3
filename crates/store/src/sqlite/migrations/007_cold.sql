-- Cold storage: the whole JSON of a version, deflated. Its row keeps the same with a short body,
-- marked `cold`; whoever reads the version is given the whole one (see cold.rs).

CREATE TABLE IF NOT EXISTS cold (
    version INTEGER PRIMARY KEY,
    packed  BLOB NOT NULL,
    digest  BLOB NOT NULL
) STRICT;
