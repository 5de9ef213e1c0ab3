-- Derived: the versions whose rows were touched last, so that whoever keeps what it has read knows
-- what to read again. Whoever is further behind than this goes back reads everything again.
CREATE TABLE touched (
    seq     INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    used    INTEGER,          -- the record, where all that was touched is how often it was used
    mark    BLOB NOT NULL     -- random: tells apart what copies of a store went through
) STRICT;

-- The first row is of no version: with it no two stores begin alike.
INSERT INTO touched (version, mark) VALUES (0, randomblob(8));

CREATE TRIGGER touched_trimmed AFTER INSERT ON touched WHEN NEW.seq % 256 = 0
BEGIN
    DELETE FROM touched WHERE seq <= NEW.seq - 4096;
END;
