-- What a person wants to have in sight, whatever is asked.
CREATE INDEX version_pinned ON version (valid_at)
    WHERE expired_at IS NULL AND instr(content, '"pinned":true') > 0;
