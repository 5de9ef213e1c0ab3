-- Derived: the words of every current version, by record. Terms are cut by `mnemic_text::words`,
-- so this tokenizer only splits at the spaces between them. Contentless: the text itself stays in
-- `version` alone. Filled from rows by words.rs after this script.
CREATE VIRTUAL TABLE words USING fts5 (
    title, text, tags,
    content = '',
    tokenize = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[\]^_`{|}~'"
);
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
