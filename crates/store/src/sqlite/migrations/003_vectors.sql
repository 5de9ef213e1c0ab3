-- Derived: vectors, threads and what is still to be embedded. Made again from versions when damaged.

-- Which model made a vector. Vectors are compared within one model only.
CREATE TABLE model (
    seq        INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    generation TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    digest     BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX model_name ON model (name, generation);

-- One per part of a text, in two grains: long stretches, and a few sentences each.
CREATE TABLE vector (
    seq        INTEGER PRIMARY KEY,
    version    INTEGER NOT NULL REFERENCES version (seq),
    model      INTEGER NOT NULL REFERENCES model (seq),
    part       INTEGER NOT NULL, -- counted over both grains
    fine       INTEGER NOT NULL, -- 1 for a few sentences, 0 for a long stretch
    scale      REAL NOT NULL,
    components BLOB NOT NULL, -- signed bytes; a component is one of them times `scale`
    digest     BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX vector_of_version ON vector (version, model, part);

-- Versions whose vectors are still to come.
CREATE TABLE unembedded (version INTEGER PRIMARY KEY) STRICT;

-- Episodes of one task or conversation, in the order in which they came.
CREATE TABLE turn (
    version  INTEGER PRIMARY KEY,
    thread   INTEGER NOT NULL,
    words    INTEGER NOT NULL, -- how many it has
    by_human INTEGER NOT NULL  -- 1 when a person said it
) STRICT;

CREATE INDEX turn_in_thread ON turn (thread, version);

CREATE INDEX version_valid ON version (valid_at);

-- A slot that changes often has a long past: the end is part of the index, so that nobody who asks
-- for the present reads it.
CREATE INDEX version_slot_end
    ON version (slot, namespace, level, coalesce(invalid_at, 9223372036854775807))
    WHERE slot IS NOT NULL AND expired_at IS NULL;
DROP INDEX version_slot;
DROP TRIGGER version_one_value_per_slot;

-- The engine settles who holds a slot; this makes sure that nobody forgets to ask it.
CREATE TRIGGER version_one_value_per_slot BEFORE INSERT ON version
WHEN NEW.slot IS NOT NULL AND NEW.expired_at IS NULL
BEGIN
    SELECT RAISE(ABORT, 'two values valid at once in one slot')
    FROM version AS held
    WHERE held.slot = NEW.slot AND held.namespace = NEW.namespace AND held.level = NEW.level
      AND held.expired_at IS NULL AND held.record <> NEW.record
      AND (NEW.invalid_at IS NULL OR held.valid_at < NEW.invalid_at)
      AND coalesce(held.invalid_at, 9223372036854775807) > NEW.valid_at;
END;
