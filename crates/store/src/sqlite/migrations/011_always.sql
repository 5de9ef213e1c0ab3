-- What an agent keeps in mind whatever is asked: its blocks, and what is labelled a gotcha.
CREATE INDEX record_block ON record (seq) WHERE kind = 'block';
CREATE INDEX version_gotcha ON version (valid_at)
    WHERE expired_at IS NULL AND instr(lower(content), '"gotcha"') > 0;
