-- Turns know how much they state; all are counted anew from their texts.

DROP TABLE turn;

CREATE TABLE turn (
    version  INTEGER PRIMARY KEY,
    thread   INTEGER NOT NULL,
    words    INTEGER NOT NULL, -- how many it has
    -- Words of content outside of questions, as far as they are counted; enough of them, if a build
    -- from before this column is still running and writes.
    stated   INTEGER NOT NULL DEFAULT 32,
    by_human INTEGER NOT NULL  -- 1 when a person said it
) STRICT;

CREATE INDEX turn_in_thread ON turn (thread, version);
