import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThreads } from '@capstan/harness'
import { says, ScriptedModel, stalls } from '@capstan/harness/testing'
import type { ThreadId } from '@capstan/protocol'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CREDENTIALS, useS3Server } from '../bucket/s3-server.fixture.ts'
import { openEmbeddedStore } from '../embedded/open-store.ts'
import { createLeadThreads, readEffects, THREAD } from '../fixtures/lead-and-helpers.fixture.ts'
import { KEY, usePostgres } from '../postgres/fixtures/postgres-server.fixture.ts'
import { fillFolder } from './filled-folder.fixture.ts'
import { moveToPostgres } from './move-to-postgres.ts'
import type { MoveOptions } from './move-to-postgres.ts'

/** `CAPSTAN_MOVE_THREADS=1000` for a folder of real size. */
const COUNT = Number(process.env['CAPSTAN_MOVE_THREADS'] ?? 200)
const INTERRUPTED = 'thread_interrupted' as ThreadId
const ENV = { CAPSTAN_SECRET_KEY: KEY }

const postgres = usePostgres()
const s3 = useS3Server()

async function createFolder(count = 0): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-move-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  if (count > 0) await fillFolder(folder, count)
  return folder
}

const move = (folder: string, url: string, more: Partial<MoveOptions> = {}) =>
  moveToPostgres({ folder, url, env: ENV, ...more })

/** A turn that waits for a yes, and one that was interrupted while the model was speaking. */
async function addUnfinishedTurns(folder: string): Promise<void> {
  const store = openEmbeddedStore({ folder, env: {} })
  const lead = createLeadThreads(store, folder)
  await lead.create({ id: THREAD })
  void (await lead.open(THREAD)).send('Send it.')
  await expect.poll(() => lead.pendingApprovals()).toHaveLength(1)
  await lead.idle()
  const model = new ScriptedModel(stalls())
  const others = createThreads({
    store,
    agent: { model, origin: 'web' },
    userId: 'cleo',
    onProblem: () => {},
  })
  await others.create({ id: INTERRUPTED })
  void (await others.open(INTERRUPTED)).send('Tell me.').catch(() => {})
  await expect.poll(() => model.requests).toBe(1)
  await store.close()
}

describe('a data folder that is moved to PostgreSQL', () => {
  it(`has everything there, and unfinished turns go on (${COUNT} threads)`, async () => {
    const folder = await createFolder(COUNT)
    await addUnfinishedTurns(folder)
    const before = readFileSync(join(folder, 'capstan.db'))
    const url = await postgres.createUrl()
    const report = await move(folder, url)
    expect(report.kinds.filter(({ isEqual }) => !isEqual)).toEqual([])
    expect(report.kinds.filter(({ source }) => source.count === 0)).toEqual([])
    expect(report).toMatchObject({ isMoved: true, audit: { ok: true }, unreadableSecrets: [] })
    expect(readFileSync(join(folder, 'capstan.db')).equals(before)).toBe(true)

    const store = await postgres.open({ url })
    const documents = await store.documents.read(['settings', 'install-secret', 'settings:keys:ann'])
    expect(documents.map(({ text }) => text)).toContain('{"anthropic":"sk-moved"}')
    expect(documents).toHaveLength(3)
    expect(await store.audit.verify()).toMatchObject({ ok: true, problems: [] })
    const lines = await store.audit.read()
    expect(lines.at(-1)).toMatchObject({
      action: 'store-move',
      facts: { intact: true, page: lines.at(-1)!.no - 1 },
    })

    const lead = createLeadThreads(store, folder)
    await lead.resume()
    const [asked] = await lead.pendingApprovals()
    expect(await lead.answer(asked!.id, 'allow-once')).toBe('accepted')
    await lead.idle()
    expect(readEffects(folder)).toHaveLength(1)

    const model = new ScriptedModel(says('Told after the move.'))
    const others = createThreads({ store, agent: { model, origin: 'web' }, userId: 'cleo' })
    await others.open(INTERRUPTED)
    await others.resume()
    await others.idle()
    const [turn] = await store.runs.list({ userId: 'cleo', depth: 0 })
    expect(turn).toMatchObject({ status: 'done', resumes: 1, outcome: { text: 'Told after the move.' } })
    await store.threads.create({ id: 'thread_new' as ThreadId, userId: 'cleo', at: 1 })
    expect(await store.threads.delete('moved_2' as ThreadId)).toBe(true)
    expect(await store.audit.verify()).toMatchObject({ ok: true })
  }, 60_000)

  it('is not used by mistake afterwards', async () => {
    const folder = await createFolder(3)
    await move(folder, await postgres.createUrl())
    expect(() => openEmbeddedStore({ folder, env: {} })).toThrow(
      /were moved to postgres:\/\/127\.0\.0\.1:\d+\/postgres on/,
    )
    const reader = openEmbeddedStore({ folder, env: {}, readOnly: true })
    expect(await reader.threads.list({ userId: 'ann' })).toHaveLength(2)
    await reader.close()
  })

  it('has its artifacts in a bucket, if there is one', async () => {
    const folder = await createFolder(10)
    const env = { ...ENV, ...CREDENTIALS, CAPSTAN_ARTIFACTS: s3.url('moved') }
    const url = await postgres.createUrl()
    const report = await move(folder, url, { env })
    expect(report.kinds.find(({ kind }) => kind === 'artifacts')).toMatchObject({
      isEqual: true,
      source: { count: 2 },
    })
    expect(await postgres.run(url, 'SELECT FROM artifacts')).toEqual([])
  })
})

describe('a move', () => {
  it('refuses a folder that a process uses, and a database that is not empty', async () => {
    const folder = await createFolder(3)
    const owner = openEmbeddedStore({ folder, env: {} })
    const url = await postgres.createUrl()
    await expect(move(folder, url)).rejects.toMatchObject({ kind: 'locked' })
    await owner.close()
    await move(folder, url)
    await expect(move(folder, url)).rejects.toThrow('The database is not empty: it has rows in "threads".')
  })

  it('that is only tried counts, and writes nothing on either side', async () => {
    const folder = await createFolder(3)
    const url = await postgres.createUrl()
    const report = await move(folder, url, { isDryRun: true })
    expect(report).toMatchObject({ isDryRun: true, isMoved: false })
    expect(report.kinds.find(({ kind }) => kind === 'connections')?.source.count).toBeGreaterThan(0)
    expect(await postgres.run(url, 'SELECT FROM pg_tables WHERE schemaname = current_schema()')).toEqual([])
    expect(existsSync(join(folder, 'moved.json'))).toBe(false)
  })

  it('that was cut leaves a database that no store opens, and starts over', async () => {
    const folder = await createFolder(20)
    const url = await postgres.createUrl()
    const onProgress = ({ what }: { readonly what: string }): void => {
      if (what === 'approvals') throw new Error('cut')
    }
    await expect(move(folder, url, { onProgress })).rejects.toThrow('cut')
    expect(existsSync(join(folder, 'moved.json'))).toBe(false)
    await expect(postgres.open({ url })).rejects.toThrow(
      'The move of a data folder into this database was not finished',
    )
    expect(await move(folder, url)).toMatchObject({ isMoved: true, isRepeated: true })
    await (await postgres.open({ url })).close()
  })

  it('finds what was changed or lost on its way, and leaves the database marked', async () => {
    const folder = await createFolder(20)
    const url = await postgres.createUrl()
    await (await postgres.open({ url })).close()
    await postgres.run(url, SPOIL)
    const report = await move(folder, url)
    expect(report.isMoved).toBe(false)
    const different = report.kinds.filter(({ isEqual }) => !isEqual).map(({ kind }) => kind)
    expect(different).toEqual(['media', 'usage', 'approvals'])
    await expect(postgres.open({ url })).rejects.toThrow('was not finished')
    expect(existsSync(join(folder, 'moved.json'))).toBe(false)
  })

  it('says so when the audit log was changed or a secret cannot be opened, and moves them only when told to', async () => {
    const folder = await createFolder(10)
    const db = new DatabaseSync(join(folder, 'capstan.db'))
    db.exec(`UPDATE journal SET mac = zeroblob(32) WHERE id = 3; DELETE FROM secrets WHERE connection = 'connection_bob_0';
      UPDATE secrets SET connection = 'connection_bob_0' WHERE connection = 'connection_ann_0'`)
    db.close()
    const url = await postgres.createUrl()
    await expect(move(folder, url)).rejects.toThrow(
      /the audit log is not intact .*secrets cannot be opened \(connection_bob_0\)/,
    )
    const report = await move(folder, url, { acceptProblems: true })
    expect(report).toMatchObject({ isMoved: true, unreadableSecrets: ['connection_bob_0'] })
    const store = await postgres.open({ url })
    expect((await store.audit.verify()).problems).toEqual([expect.objectContaining({ kind: 'reported' })])
  })
})

/** Changes one row of usage, an approval, and loses media. */
const SPOIL = `
CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_TABLE_NAME = 'media' THEN RETURN NULL; END IF;
  IF TG_TABLE_NAME = 'usage' AND NEW.no = 1 THEN NEW.at = NEW.at + 1; END IF;
  IF TG_TABLE_NAME = 'approvals' THEN NEW.request = replace(NEW.request, 'ada@', 'eve@'); END IF;
  RETURN NEW; END $$;
CREATE TRIGGER spoil BEFORE INSERT ON usage FOR EACH ROW EXECUTE FUNCTION spoil();
CREATE TRIGGER spoil BEFORE INSERT ON media FOR EACH ROW EXECUTE FUNCTION spoil();
CREATE TRIGGER spoil BEFORE INSERT ON approvals FOR EACH ROW EXECUTE FUNCTION spoil();`
