-- Turns know who says them; all are read anew from their texts.

ALTER TABLE turn ADD COLUMN speaker INTEGER; -- the number of a first name, where the text begins with one
