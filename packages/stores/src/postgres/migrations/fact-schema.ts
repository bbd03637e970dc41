/** Facts about people. */
export const FACT_SCHEMA = `
CREATE TABLE memory_facts (
  user_id text NOT NULL,
  id text NOT NULL,
  status text NOT NULL,
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (user_id, id)
);
`
