import { setTimeout as sleep } from 'node:timers/promises'
import type { LedgerRecord } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import { openPostgresStore } from '@capstan/stores/postgres'
import { Client } from 'pg'
import { startPostgres } from '../../../packages/stores/src/postgres/fixtures/start-postgres.fixture.ts'
import type { Move, MoveLog } from './judge-moves.ts'

/** The key of all nodes. */
export const KEY = 'c7'.repeat(32)

/** A real PostgreSQL server, which can be restarted while nodes use it. */
export interface DatabaseServer {
  /** A new database with the tables of the store, and a log of who claimed which thread when. */
  create(name: string): Promise<RoundDatabase>
  /** `immediate`: without a checkpoint, so that everything that was not flushed is lost. */
  restart(how: 'fast' | 'immediate'): Promise<void>
  close(): Promise<void>
}

/** The database of one round. */
export interface RoundDatabase {
  readonly url: string
  /** The address for a node. The server knows the node's connections by it. */
  urlOf(nodeId: string): string
  query<Row>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** Cuts every connection of a node. */
  cut(nodeId: string): Promise<void>
  readLog(): Promise<MoveLog>
  drop(): Promise<void>
}

/** Three nodes with their pools, and those of a judge. */
const SETTINGS = ['fsync=off', 'max_connections=200']
const TEMPLATE = 'crash_test'

export async function startDatabaseServer(): Promise<DatabaseServer> {
  const server = await startPostgres(SETTINGS)
  const run = <Row>(url: string, sql: string, values?: readonly unknown[]) =>
    untilReached(() => runOnce<Row>(url, sql, values))
  const urlTo = (name: string): string => Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  await run(server.url, `CREATE DATABASE ${TEMPLATE}`)
  const store = await openPostgresStore({ url: urlTo(TEMPLATE), env: { CAPSTAN_SECRET_KEY: KEY } })
  await store.close()
  await run(urlTo(TEMPLATE), LOG)
  return {
    async create(name) {
      await run(server.url, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`)
      return toRoundDatabase(urlTo(name), run, () => run(server.url, `DROP DATABASE ${name} WITH (FORCE)`))
    },
    async restart(how) {
      await (how === 'fast' ? server.stop() : server.crash())
      await server.start()
    },
    close: () => server.close(),
  }
}

type Run = <Row>(url: string, sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>

function toRoundDatabase(url: string, run: Run, drop: () => Promise<unknown>): RoundDatabase {
  const query = <Row>(sql: string, values?: readonly unknown[]) => run<Row>(url, sql, values)
  return {
    url,
    query,
    urlOf: (nodeId) => `${url}?application_name=${nodeId}`,
    async cut(nodeId) {
      await query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
        nodeId,
      ])
    },
    async readLog() {
      const moves = await query<Move>('SELECT thread, owner, pages::integer, at FROM crash_moves ORDER BY no')
      const rows = await query<Omit<PageRow, 'records'>>(PAGES)
      return {
        moves,
        pages: rows.map(({ body, ...page }) => ({ ...page, records: parse(body, page.thread) })),
      }
    },
    drop: async () => void (await drop()),
  }
}

interface PageRow {
  readonly thread: string
  readonly page: number
  readonly node: string
  readonly at: number
  readonly body: string
}

/** Events are stored without the id of their thread. */
function parse(body: string, thread: string): readonly LedgerRecord[] {
  const records = JSON.parse(body) as (LedgerRecord | { readonly e: object })[]
  return records.map((record) =>
    'e' in record
      ? ({ type: 'event', event: { ...record.e, threadId: thread as ThreadId } } as LedgerRecord)
      : record,
  )
}

async function runOnce<Row>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url, application_name: 'crash-test' })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql, [...values])).rows as Row[]
  } finally {
    await client.end()
  }
}

const MAX_ATTEMPTS = 200
const RETRY_MS = 50

/** Repeats what fails because the server is being restarted. */
async function untilReached<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      // A class of errors is two digits long: 57 is a shutdown, 08 a connection.
      const { code = '' } = error as { readonly code?: string }
      const isAway = /^(57|08|E)/.test(code) || /terminated|closed|reset/i.test((error as Error).message)
      if (!isAway || attempt >= MAX_ATTEMPTS) throw error
      await sleep(RETRY_MS)
    }
  }
}

/** Written in the transaction of the change, so that it is lost with it or not at all. */
const LOG = `
CREATE TABLE crash_moves (no bigint GENERATED ALWAYS AS IDENTITY, thread text, owner text, pages bigint, at float8);
CREATE TABLE crash_pages (thread bigint, page bigint, at float8);
CREATE FUNCTION crash_now() RETURNS float8 LANGUAGE sql AS 'SELECT extract(epoch FROM clock_timestamp()) * 1000';
CREATE FUNCTION crash_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.epoch <> OLD.epoch OR NEW.owner IS DISTINCT FROM OLD.owner THEN
    INSERT INTO crash_moves (thread, owner, pages, at) VALUES (NEW.id, NEW.owner, NEW.pages, crash_now());
  END IF;
  IF NEW.pages <> OLD.pages THEN
    INSERT INTO crash_pages VALUES (NEW.no, NEW.pages, crash_now());
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER crash_note AFTER UPDATE ON threads FOR EACH ROW EXECUTE FUNCTION crash_note();
`

const PAGES = `SELECT threads.id AS thread, journal.page::integer, chains.node, crash_pages.at, journal.body
  FROM journal JOIN threads ON threads.no = journal.thread JOIN chains ON chains.no = journal.chain
  JOIN crash_pages ON crash_pages.thread = journal.thread AND crash_pages.page = journal.page
  ORDER BY journal.thread, journal.page`
