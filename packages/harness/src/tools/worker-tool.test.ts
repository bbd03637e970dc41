import type { CallId } from '@capstan/protocol'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '../testing/test-clock.ts'
import { createTestPath } from '../testing/test-path.ts'
import { createTestRun } from '../testing/test-run.ts'
import { tryTool } from '../testing/try-tool.ts'
import { runToolCall } from '../tool-path/run-tool-call.ts'
import { UNCONFINED } from '../ports/sandbox.ts'
import type { WorkerPlace } from './worker-tool.ts'
import { defineWorkerTool } from './worker-tool.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-worker-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

let written = 0
/** A worker tool made of this source. */
async function toolOf(source: string, more: Partial<WorkerPlace> = { isTrusted: true }) {
  const path = join(folder, `tool-${written++}.ts`)
  const outcomes = new URL('../turn/tool/tool-outcome.ts', import.meta.url).href
  await writeFile(path, `import { fail, succeed } from '${outcomes}'\n${source}\nvoid [fail, succeed]\n`)
  return defineWorkerTool({
    name: 'worker',
    description: 'works',
    input: { type: 'object' },
    effect: 'read',
    module: pathToFileURL(path),
    ...more,
  })
}

const PLACES: readonly [string, Partial<WorkerPlace>, string][] = [
  ['in a thread', { isTrusted: true }, 'could not be cloned'],
  ['in a process', { sandbox: UNCONFINED }, 'not plain data'],
]

describe('a worker tool without a sandbox', () => {
  it('is not run, unless it is trusted', async () => {
    const tool = await toolOf("export const run = () => 'ran'", {})
    expect(await tryTool(tool)).toMatchObject({
      ok: false,
      errorCode: 'missing_app',
      text: expect.stringContaining('runs only in a sandbox'),
    })
  })
})

describe.each(PLACES)('a worker tool %s', { timeout: 30_000 }, (_where, place, cannotCross) => {
  it('gets its arguments and the call, and returns its result', async () => {
    const tool = await toolOf('export const run = async ({ a }, call) => ({ doubled: a * 2, call })', place)
    const outcome = await tryTool(tool, { a: 21 })
    expect(JSON.parse(outcome.text)).toEqual({
      doubled: 42,
      call: { callId: 'call_test', idempotencyKey: 'thread_test/call_test' },
    })
  })

  it('keeps the facts of an outcome', async () => {
    const fails = await toolOf(
      "export const run = () => fail('slow down', { httpStatus: 429, retryAfterMs: 5000 })",
      place,
    )
    expect(await tryTool(fails)).toMatchObject({
      ok: false,
      text: 'slow down',
      httpStatus: 429,
      retryAfterMs: 5_000,
    })
    const succeeds = await toolOf("export const run = () => succeed('fine')", place)
    expect(await tryTool(succeeds)).toMatchObject({ ok: true, text: 'fine' })
  })

  it('keeps the facts of an error', async () => {
    const tool = await toolOf(
      "export const run = () => { throw Object.assign(new Error('not there'), { code: 'ENOENT', status: 404 }) }",
      place,
    )
    expect(await tryTool(tool)).toMatchObject({
      ok: false,
      text: 'not there',
      errorCode: 'ENOENT',
      httpStatus: 404,
    })
    const string = await toolOf("export const run = () => { throw 'a string' }", place)
    expect(await tryTool(string)).toMatchObject({ ok: false, text: 'a string' })
  })

  it.each([
    ['returns a function', 'export const run = () => () => 1', cannotCross],
    ['has nothing to run', 'export const walk = 1', 'does not export a function "run"'],
    ['does not parse', 'export const run = (', ''],
    [
      'throws outside of its promise',
      "export const run = () => new Promise(() => setImmediate(() => { throw new Error('late') }))",
      'late',
    ],
    ['ends without an answer', 'export const run = () => process.exit(3)', 'without an answer'],
  ])('fails when it %s', async (_what, source, words) => {
    const outcome = await tryTool(await toolOf(source, place))
    expect(outcome.ok).toBe(false)
    expect(outcome.text).toContain(words)
  })

  it('is ended when it takes too much memory, without harm to the process', async () => {
    const tool = await toolOf(
      'export const run = () => { const all = []; for (;;) all.push(new Array(10_000).fill(all.length)) }',
      { ...place, maxOldGenerationSizeMb: 32 },
    )
    expect(await tryTool(tool)).toMatchObject({ ok: false, errorCode: 'ERR_WORKER_OUT_OF_MEMORY' })
  }, 30_000)

  it('is terminated at its deadline, and the turn continues', async () => {
    const clock = createTestClock()
    const tool = { ...(await toolOf('export const run = () => { for (;;); }', place)), timeoutMs: 60_000 }
    const call = { id: 'call_test' as CallId, tool: tool.name, arguments: {} }
    const result = runToolCall(call, createTestPath([tool], { run: createTestRun({ clock }) }))
    await clock.waiting()
    await clock.advance(60_000)
    expect(await result).toMatchObject({ ok: false, failure: { class: 'timeout' } })
  })

  it('does not start when it was aborted before', async () => {
    const stop = new AbortController()
    stop.abort(new Error('never mind'))
    const tool = await toolOf("export const run = () => 'ran'", place)
    expect(await tryTool(tool, {}, { signal: stop.signal })).toMatchObject({ ok: false, text: 'never mind' })
  })
})

describe('a trusted worker tool', () => {
  it('is terminated on abort, although it blocks its thread', async () => {
    const { beats, running, stop } = await startBurning()
    stop.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    const counted = Atomics.load(beats, 0)
    // As long as the thread lived it would count on by thousands.
    await tryTool(await toolOf("export const run = () => 'a while later'"))
    expect(Atomics.load(beats, 0)).toBe(counted)
  })

  it('does not slow others while it blocks its thread', async () => {
    const { beats, running, stop } = await startBurning()
    const before = Atomics.load(beats, 0)
    const quick = await tryTool(await toolOf("export const run = () => 'quick'"))
    expect(quick).toMatchObject({ ok: true, text: 'quick' })
    expect(Atomics.load(beats, 0)).toBeGreaterThan(before)
    stop.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})

/** A call that counts as fast as it can, for ever; counting has begun. */
async function startBurning() {
  const tool = await toolOf(
    'export const run = ({ beats }) => { for (;;) Atomics.add(beats, 0, 1), Atomics.notify(beats, 0) }',
  )
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const stop = new AbortController()
  const run = createTestRun()
  const context = { callId: 'call_test' as CallId, idempotencyKey: 'key', signal: stop.signal, run }
  const running = Promise.resolve(tool.run({ beats } as never, context))
  await Atomics.waitAsync(beats, 0, 0).value
  return { beats, running, stop }
}
