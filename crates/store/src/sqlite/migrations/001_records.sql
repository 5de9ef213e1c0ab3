-- The truth: every table here is sealed row by row with `digest` (see seal.rs).
-- Times are microseconds since 1970 in UTC.

CREATE TABLE meta (
    name   TEXT PRIMARY KEY NOT NULL,
    value  TEXT NOT NULL,
    digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE change (
    seq    INTEGER PRIMARY KEY,
    id     TEXT NOT NULL UNIQUE,
    at     INTEGER NOT NULL,
    actor  TEXT NOT NULL,
    verb   TEXT NOT NULL,
    reason TEXT,
    undoes TEXT,
    digest BLOB NOT NULL
) STRICT;

CREATE TABLE record (
    seq    INTEGER PRIMARY KEY,
    id     TEXT NOT NULL UNIQUE,
    kind   TEXT NOT NULL,
    digest BLOB NOT NULL
) STRICT;

-- Every state of every record, the present one included. Nothing is overwritten: a change sets
-- `expired_at` here and adds a row.
CREATE TABLE version (
    seq         INTEGER PRIMARY KEY,
    record      INTEGER NOT NULL REFERENCES record (seq),
    n           INTEGER NOT NULL,
    change      INTEGER NOT NULL REFERENCES change (seq),
    recorded_at INTEGER NOT NULL,
    expired_at  INTEGER,
    expired_by  INTEGER REFERENCES change (seq),
    valid_at    INTEGER NOT NULL,
    invalid_at  INTEGER,
    level       TEXT NOT NULL,
    namespace   TEXT NOT NULL,
    slot        TEXT,
    tier        TEXT NOT NULL,
    trust       TEXT NOT NULL,
    importance  REAL NOT NULL,
    fingerprint BLOB NOT NULL,
    content     TEXT NOT NULL,
    digest      BLOB NOT NULL,
    CHECK (expired_at IS NULL OR expired_at > recorded_at),
    CHECK (invalid_at IS NULL OR invalid_at > valid_at)
) STRICT;

CREATE UNIQUE INDEX version_of_record ON version (record, n);
CREATE UNIQUE INDEX version_current ON version (record) WHERE expired_at IS NULL;
CREATE INDEX version_slot ON version (slot, namespace, level) WHERE slot IS NOT NULL AND expired_at IS NULL;
CREATE INDEX version_fingerprint ON version (fingerprint) WHERE expired_at IS NULL;
CREATE INDEX version_recorded ON version (recorded_at);
CREATE INDEX version_expired ON version (expired_at) WHERE expired_at IS NOT NULL;
CREATE INDEX version_change ON version (change);
CREATE INDEX version_expired_by ON version (expired_by) WHERE expired_by IS NOT NULL;

-- The engine settles who holds a slot; this makes sure that nobody forgets to ask it.
CREATE TRIGGER version_one_value_per_slot BEFORE INSERT ON version
WHEN NEW.slot IS NOT NULL AND NEW.expired_at IS NULL
BEGIN
    SELECT RAISE(ABORT, 'two values valid at once in one slot')
    FROM version AS held
    WHERE held.slot = NEW.slot AND held.namespace = NEW.namespace AND held.level = NEW.level
      AND held.expired_at IS NULL AND held.record <> NEW.record
      AND (NEW.invalid_at IS NULL OR held.valid_at < NEW.invalid_at)
      AND (held.invalid_at IS NULL OR NEW.valid_at < held.invalid_at);
END;

CREATE TABLE link (
    seq         INTEGER PRIMARY KEY,
    from_id     TEXT NOT NULL,
    to_id       TEXT NOT NULL,
    relation    TEXT NOT NULL,
    strength    REAL NOT NULL,
    valid_at    INTEGER NOT NULL,
    invalid_at  INTEGER,
    recorded_at INTEGER NOT NULL,
    expired_at  INTEGER,
    change      INTEGER NOT NULL REFERENCES change (seq),
    expired_by  INTEGER REFERENCES change (seq),
    digest      BLOB NOT NULL,
    CHECK (expired_at IS NULL OR expired_at > recorded_at),
    CHECK (invalid_at IS NULL OR invalid_at > valid_at)
) STRICT;

CREATE UNIQUE INDEX link_current ON link (from_id, relation, to_id) WHERE expired_at IS NULL;
CREATE INDEX link_to ON link (to_id);
CREATE INDEX link_from ON link (from_id);
CREATE INDEX link_change ON link (change);
CREATE INDEX link_expired_by ON link (expired_by) WHERE expired_by IS NOT NULL;

CREATE TABLE usage (
    record           INTEGER PRIMARY KEY REFERENCES record (seq),
    loaded           INTEGER NOT NULL,
    referenced       INTEGER NOT NULL,
    ignored          INTEGER NOT NULL,
    succeeded        INTEGER NOT NULL,
    last_used        INTEGER,
    relevance_sum    REAL NOT NULL,
    relevance_count  INTEGER NOT NULL,
    discovery_tokens INTEGER NOT NULL,
    read_tokens      INTEGER NOT NULL,
    digest           BLOB NOT NULL
) STRICT;

CREATE TABLE tombstone (
    seq     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL,
    content BLOB NOT NULL,
    subject BLOB,
    at      INTEGER NOT NULL,
    actor   TEXT NOT NULL,
    reason  TEXT,
    digest  BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX tombstone_text ON tombstone (id, content);
CREATE INDEX tombstone_content ON tombstone (content);
CREATE INDEX tombstone_subject ON tombstone (subject) WHERE subject IS NOT NULL;

-- Which import brought a record, so that the import can be undone.
CREATE TABLE arrival (
    record INTEGER PRIMARY KEY REFERENCES record (seq),
    change INTEGER NOT NULL REFERENCES change (seq),
    n      INTEGER NOT NULL, -- how many versions came
    digest BLOB NOT NULL
) STRICT;

CREATE INDEX arrival_change ON arrival (change);

CREATE TABLE answer (
    key     TEXT PRIMARY KEY NOT NULL,
    request BLOB NOT NULL,
    result  TEXT NOT NULL,
    at      INTEGER NOT NULL,
    digest  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE job (
    seq          INTEGER PRIMARY KEY,
    kind         TEXT NOT NULL,
    payload      TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    attempts     INTEGER NOT NULL,
    leased_until INTEGER,
    last_error   TEXT,
    digest       BLOB NOT NULL
) STRICT;

-- Copies of this file that we made, so that what is forgotten here can be erased there too.
CREATE TABLE backup (
    seq    INTEGER PRIMARY KEY,
    path   TEXT NOT NULL UNIQUE,
    at     INTEGER NOT NULL,
    digest BLOB NOT NULL
) STRICT;

CREATE TABLE audit (
    seq     INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    actor   TEXT NOT NULL,
    verb    TEXT NOT NULL,
    subject TEXT NOT NULL,
    content BLOB,
    hash    BLOB NOT NULL
) STRICT;
