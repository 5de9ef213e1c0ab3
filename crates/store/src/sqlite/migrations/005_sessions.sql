-- Sessions of agents: what happened in them as numbers, never as words, and what they were shown.

CREATE TABLE session (
    seq        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    host       TEXT,
    agent      TEXT,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    terms      BLOB NOT NULL, -- digests of four bytes each of what it is about
    direction  BLOB NOT NULL, -- its vector, four bytes a number; empty without a model
    window     INTEGER,
    filled     INTEGER NOT NULL,
    outcome    TEXT,
    digest     BLOB NOT NULL
) STRICT;

CREATE INDEX session_started ON session (started_at);

CREATE TABLE session_event (
    seq     INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    at      INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    amount  REAL NOT NULL,
    digest  BLOB NOT NULL
) STRICT;

CREATE INDEX session_event_of ON session_event (session, seq);

-- A memory lies in one store and the session that saw it perhaps in another: no reference.
CREATE TABLE shown (
    seq     INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    record  INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    level   TEXT NOT NULL,
    tier    TEXT NOT NULL,
    tokens  INTEGER NOT NULL,
    cited   INTEGER NOT NULL,
    outcome TEXT,
    digest  BLOB NOT NULL
) STRICT;

CREATE INDEX shown_in ON shown (session, seq);
CREATE INDEX shown_of ON shown (record);

CREATE TABLE economics (
    seq              INTEGER PRIMARY KEY,
    session          TEXT NOT NULL UNIQUE,
    discovery_tokens INTEGER NOT NULL,
    timeline_tokens  INTEGER NOT NULL,
    read_tokens      INTEGER NOT NULL,
    index_loads      INTEGER NOT NULL,
    timeline_loads   INTEGER NOT NULL,
    full_loads       INTEGER NOT NULL,
    task_full_loads  INTEGER NOT NULL,
    all_tokens       INTEGER NOT NULL,
    doubted          INTEGER NOT NULL,
    digest           BLOB NOT NULL
) STRICT;

-- What sessions touched: files, branches, errors, memories.
CREATE TABLE trace (
    seq     INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    kind    TEXT NOT NULL,
    name    TEXT NOT NULL,
    at      INTEGER NOT NULL,
    digest  BLOB NOT NULL
) STRICT;

CREATE INDEX trace_of_thing ON trace (kind, name, at);
CREATE INDEX trace_of_name ON trace (name);
CREATE INDEX trace_in ON trace (session, seq);
CREATE INDEX trace_at ON trace (kind, at);

-- How maintenance has rearranged the index of topics.
CREATE TABLE topic_rule (
    seq       INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    name      TEXT NOT NULL,
    act       TEXT NOT NULL,
    value     TEXT NOT NULL,
    digest    BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX topic_rule_of ON topic_rule (namespace, name, act, value);

-- Derived: the headings of the index with their counts, kept up to date by every write, and which
-- memory is filed under which. Made again from versions and rules when damaged.
CREATE TABLE topic (
    seq       INTEGER PRIMARY KEY,
    namespace TEXT NOT NULL,
    name      TEXT NOT NULL,
    memories  INTEGER NOT NULL,
    tokens    INTEGER NOT NULL,
    loaded    INTEGER NOT NULL,
    cited     INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX topic_name ON topic (namespace, name);

CREATE TABLE filed (
    record     INTEGER PRIMARY KEY,
    topic      INTEGER NOT NULL,
    base       TEXT NOT NULL, -- the topic before any rule
    part       TEXT,
    tokens     INTEGER NOT NULL,
    importance REAL NOT NULL,
    began_at   INTEGER NOT NULL,
    used_at    INTEGER,
    loaded     INTEGER NOT NULL,
    cited      INTEGER NOT NULL
) STRICT;

CREATE INDEX filed_weighty ON filed (topic, importance, record);
CREATE INDEX filed_latest ON filed (topic, began_at);
CREATE INDEX filed_used ON filed (topic, used_at) WHERE used_at IS NOT NULL;
