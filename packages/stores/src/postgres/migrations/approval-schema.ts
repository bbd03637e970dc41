/**
 * Approvals, grants and connections. What a person decided is sealed. An approval keeps the question as JSON, because a
 * column cannot hold every text; its other columns are what it is found by, and the seal covers them, too.
 */
export const APPROVAL_SCHEMA = `
CREATE TABLE approvals (
  no bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  id text PRIMARY KEY,
  thread bigint NOT NULL,
  user_id text NOT NULL,
  run text NOT NULL,
  call text NOT NULL,
  created_at double precision NOT NULL,
  expires_at double precision NOT NULL,
  request text NOT NULL,
  seal bytea NOT NULL,
  decision text,
  decided_at double precision,
  decision_seal bytea,
  answered_by text
);
CREATE INDEX approvals_of_run ON approvals (run, call);
CREATE INDEX approvals_of_thread ON approvals (thread);
CREATE INDEX approvals_of_user ON approvals (user_id, created_at, no);
CREATE INDEX approvals_by_message ON approvals (thread, answered_by) WHERE answered_by IS NOT NULL;
CREATE INDEX approvals_open ON approvals (expires_at) WHERE decision IS NULL;

CREATE TABLE grants (
  user_id text NOT NULL,
  id text NOT NULL,
  tool text NOT NULL,
  thread bigint,
  created_at double precision NOT NULL,
  expires_at double precision,
  body text NOT NULL,
  seal bytea NOT NULL,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX grants_of_tool ON grants (user_id, tool);
CREATE INDEX grants_of_thread ON grants (thread) WHERE thread IS NOT NULL;
CREATE INDEX grants_by_expiry ON grants (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE connections (
  no bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  id text PRIMARY KEY,
  user_id text NOT NULL,
  connector text NOT NULL,
  toolkit text NOT NULL,
  status text NOT NULL,
  label text NOT NULL,
  is_default boolean NOT NULL,
  created_at double precision NOT NULL,
  updated_at double precision NOT NULL,
  reason text,
  reason_code text
);
CREATE INDEX connections_of_user ON connections (user_id, created_at, no);
CREATE INDEX connections_of_toolkit ON connections (toolkit);
CREATE INDEX connections_pending ON connections (no) WHERE status = 'pending';
CREATE UNIQUE INDEX connections_default ON connections (user_id, toolkit) WHERE is_default;

CREATE TABLE sign_in_flows (
  state_hash text PRIMARY KEY,
  connection text NOT NULL,
  user_id text NOT NULL,
  browser_hash text NOT NULL,
  redirect_uri text NOT NULL,
  created_at double precision NOT NULL,
  expires_at double precision NOT NULL
);
CREATE INDEX sign_in_flows_of_connection ON sign_in_flows (connection);
CREATE INDEX sign_in_flows_by_expiry ON sign_in_flows (expires_at);

CREATE TABLE scopes (
  user_id text NOT NULL,
  toolkit text NOT NULL,
  read integer NOT NULL,
  write integer NOT NULL,
  admin integer NOT NULL,
  seal bytea NOT NULL,
  PRIMARY KEY (user_id, toolkit)
);
CREATE INDEX scopes_of_toolkit ON scopes (toolkit);
CREATE TABLE action_effects (
  user_id text NOT NULL,
  toolkit text NOT NULL,
  action text NOT NULL,
  effect text NOT NULL,
  digest text NOT NULL,
  seal bytea NOT NULL,
  PRIMARY KEY (user_id, toolkit, action)
);
CREATE INDEX action_effects_of_toolkit ON action_effects (toolkit);
CREATE TABLE known_actions (
  connection text NOT NULL,
  action text NOT NULL,
  digest text NOT NULL,
  PRIMARY KEY (connection, action)
);
CREATE TABLE secrets (
  connection text PRIMARY KEY,
  bound_to text,
  key text NOT NULL,
  locked bytea NOT NULL
);
`
