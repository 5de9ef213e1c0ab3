-- Whoever changes what is kept of rows says so in `touched`.

CREATE TRIGGER touched_by_version_new AFTER INSERT ON version
BEGIN
    INSERT INTO touched (version, mark) VALUES (NEW.seq, randomblob(8));
END;

CREATE TRIGGER touched_by_version_changed
AFTER UPDATE OF expired_at, valid_at, invalid_at, level, namespace, slot, tier, trust, importance, content
ON version
BEGIN
    INSERT INTO touched (version, mark) VALUES (NEW.seq, randomblob(8));
END;

CREATE TRIGGER touched_by_version_gone AFTER DELETE ON version
BEGIN
    INSERT INTO touched (version, mark) VALUES (OLD.seq, randomblob(8));
END;

-- A use is counted by taking the old numbers out and putting the new ones in.
CREATE TRIGGER touched_by_usage AFTER INSERT ON usage
BEGIN
    INSERT INTO touched (version, used, mark)
    SELECT seq, record, randomblob(8) FROM version
    WHERE record = NEW.record AND expired_at IS NULL;
END;

CREATE TRIGGER touched_by_usage_changed AFTER UPDATE ON usage
BEGIN
    INSERT INTO touched (version, used, mark)
    SELECT seq, record, randomblob(8) FROM version
    WHERE record = NEW.record AND expired_at IS NULL;
END;

CREATE TRIGGER touched_by_cold_new AFTER INSERT ON cold
BEGIN
    INSERT INTO touched (version, mark) VALUES (NEW.version, randomblob(8));
END;

CREATE TRIGGER touched_by_cold_changed AFTER UPDATE OF packed ON cold
BEGIN
    INSERT INTO touched (version, mark) VALUES (NEW.version, randomblob(8));
END;

CREATE TRIGGER touched_by_cold_gone AFTER DELETE ON cold
BEGIN
    INSERT INTO touched (version, mark) VALUES (OLD.version, randomblob(8));
END;
