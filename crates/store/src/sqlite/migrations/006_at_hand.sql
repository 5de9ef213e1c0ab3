-- What matters whatever is asked is found without reading the rest.
CREATE INDEX version_mandate ON version (valid_at)
    WHERE expired_at IS NULL AND tier = 'mandate';
CREATE INDEX version_important ON version (valid_at)
    WHERE expired_at IS NULL AND importance >= 0.9;
CREATE INDEX record_contradiction ON record (seq) WHERE kind = 'contradiction';
