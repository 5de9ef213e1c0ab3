-- Turns know how much they state and who says them; all are read anew from their texts.

DROP TABLE turn;

CREATE TABLE turn (
    version  INTEGER PRIMARY KEY,
    thread   INTEGER NOT NULL,
    words    INTEGER NOT NULL, -- how many it has
    -- Words of content outside of questions, as far as they are counted; enough of them, if a build
    -- from before this column is still running and writes.
    stated   INTEGER NOT NULL DEFAULT 32,
    by_human INTEGER NOT NULL, -- 1 when a person said it
    speaker  INTEGER           -- the number of a first name, where the text begins with one
) STRICT;

CREATE INDEX turn_in_thread ON turn (thread, version);
