/**
 * Items of apps, and what they are found by. The index holds keys of terms instead of words, each with its user in it. It is
 * a table of its own with the words out of line, so that counting matches touches few pages.
 */
export const MEMORY_SCHEMA = `
CREATE TABLE memory_items (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL,
  id text NOT NULL,
  app text NOT NULL,
  account text NOT NULL,
  at bigint NOT NULL,
  body text NOT NULL,
  UNIQUE (user_id, id)
);
CREATE INDEX memory_items_by_time ON memory_items (user_id, at DESC, id);
CREATE INDEX memory_items_by_source ON memory_items (user_id, app, account);

CREATE TABLE memory_index (
  no bigint PRIMARY KEY REFERENCES memory_items ON DELETE CASCADE,
  words tsvector NOT NULL
) WITH (toast_tuple_target = 128);
ALTER TABLE memory_index ALTER words SET STORAGE EXTERNAL;
CREATE INDEX memory_index_words ON memory_index USING gin (words);

CREATE TABLE memory_terms (
  word text PRIMARY KEY,
  items bigint NOT NULL
);
`
