/** Vectors of items. `vector_model`: by which model an item was embedded. */
export const VECTOR_SCHEMA = `
ALTER TABLE memory_items ADD COLUMN vector_model text NOT NULL DEFAULT '';
CREATE INDEX memory_items_by_vectors ON memory_items (user_id, vector_model);
CREATE TABLE memory_vectors (
  no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL,
  item text NOT NULL,
  model text NOT NULL,
  dimensions integer NOT NULL,
  signs bytea NOT NULL,
  vector bytea NOT NULL
);
ALTER TABLE memory_vectors ALTER vector SET STORAGE EXTERNAL;
CREATE INDEX memory_vectors_of_item ON memory_vectors (user_id, item);
CREATE INDEX memory_vectors_by_signs ON memory_vectors (user_id, model, dimensions, no) INCLUDE (signs);
`
