import { createLocalConnector } from '@capstan/connectors'
import { createDemoModel, FAST } from '@capstan/demo'
import type { SyncSource } from '@capstan/harness/memory'
import type { SyncEstimate, SyncView } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { main } from '../../main.ts'
import { createFakeShell } from '../../testing/fake-shell.ts'
import { startRunningServer } from '../../testing/running-server.ts'
import { createHome } from '../../testing/stored-thread.ts'

const ITEMS = 40
const PAGE = 10

/** An app with a list of short texts. */
function createBox() {
  const app = { problem: undefined as Error | undefined }
  const source: SyncSource = {
    kind: 'list',
    expect: () => Promise.resolve({ items: ITEMS, requests: ITEMS / PAGE }),
    page(cursor) {
      if (app.problem) return Promise.reject(app.problem)
      const from = Number(cursor ?? 0)
      const next = from + PAGE < ITEMS ? { next: String(from + PAGE) } : {}
      const entries = Array.from({ length: PAGE }, (_, index) => ({
        id: `n${from + index}`,
        version: '1',
        title: `Note ${from + index}`,
        text: 'x'.repeat(40),
      }))
      return Promise.resolve({ entries, ...next })
    },
  }
  const connector = createLocalConnector({
    toolkits: [{ slug: 'box', name: 'Box', description: 'Notes.', actions: [], sync: () => source }],
  })
  return { app, connector }
}

async function open({ terminal = false } = {}) {
  const { app, connector } = createBox()
  const { home, assistant } = await startRunningServer({
    model: createDemoModel(FAST),
    connectors: [connector],
  })
  const run = async (...args: readonly string[]) => {
    const shell = createFakeShell({ env: { CAPSTAN_HOME: home, NO_COLOR: '1' }, terminal })
    const code = await main(args, shell)
    return { code, out: shell.out(), err: shell.err() }
  }
  expect(await run('connect', 'box')).toMatchObject({ code: 0 })
  return { app, assistant, sync: (...args: readonly string[]) => run('sync', ...args) }
}

const parse = (out: string): SyncView => JSON.parse(out) as SyncView

it('capstan sync says what it needs, and switches on only with --yes', async () => {
  const { assistant, sync } = await open()
  expect((await sync()).out).toMatch(/box +off/)
  const estimate = JSON.parse(
    (await sync('estimate', 'box', '--json', '--requests', '2')).out,
  ) as SyncEstimate
  expect(estimate).toMatchObject({ items: ITEMS, requests: 4, days: 2, isAtLeast: false })
  const asked = await sync('on', 'box')
  expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('--yes') as string })
  expect(asked.out).toContain('Items:    40')
  expect(parse((await sync('show', 'box', '--json')).out).isOn).toBe(false)
  const on = await sync('on', 'box', '--yes', '--wait', '--json', '--every', '60')
  expect(on.code).toBe(0)
  expect(parse(on.out)).toMatchObject({
    isOn: true,
    settings: { intervalMinutes: 60, days: 365 },
    progress: { added: ITEMS, expected: ITEMS },
  })
  expect(await assistant.store.memory.sources('local')).toMatchObject([{ app: 'box', count: ITEMS }])
})

it('capstan sync pauses, resumes, runs and switches off, and forgets only when told to', async () => {
  const { assistant, sync } = await open()
  await sync('on', 'box', '--yes', '--wait')
  const statusAfter = async (action: string) => parse((await sync(action, 'box', '--json')).out).job?.status
  expect(await statusAfter('pause')).toBe('paused')
  expect((await sync()).out).toContain('paused')
  expect(await statusAfter('resume')).toBe('waiting')
  const ran = await sync('run', 'box', '--wait')
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('40 unchanged') as string })
  expect((await sync('off', 'box')).out).toBe('It is off.\n')
  expect(await assistant.store.memory.sources('local')).toHaveLength(1)
  expect(await sync('run', 'box')).toMatchObject({ code: 1, err: expect.stringContaining('off') as string })
  await sync('on', 'box', '--yes', '--wait')
  expect(await sync('off', 'box', '--forget')).toMatchObject({ code: 2 })
  expect(await sync('off', 'box', '--forget', '--yes')).toMatchObject({ code: 0 })
  expect(await assistant.store.memory.sources('local')).toEqual([])
})

it('capstan sync shows its progress on a terminal, and says why a run failed', async () => {
  const { app, sync } = await open({ terminal: true })
  const on = await sync('on', 'box', '--yes')
  expect(on).toMatchObject({ code: 0, out: expect.stringContaining('Items: 40 added') as string })
  app.problem = new Error('503 service unavailable')
  const failed = await sync('run', 'box')
  expect(failed.code).toBe(1)
  expect(failed.out).toContain('What to do: ')
})

it('capstan sync refuses what it cannot do, with words that help', async () => {
  const { sync } = await open()
  expect(await sync('on', 'mail', '--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('capstan sync list') as string,
  })
  expect(await sync('on', 'box', '--yes', '--requests', '0')).toMatchObject({
    code: 2,
    err: expect.stringContaining('from 1 to 100000') as string,
  })
  expect(await sync('explode', 'box')).toMatchObject({ code: 2 })
  expect(await sync('run')).toMatchObject({ code: 2 })
  const shell = createFakeShell({ env: { CAPSTAN_HOME: await createHome(), NO_COLOR: '1' } })
  expect(await main(['sync'], shell)).toBe(1)
  expect(shell.err()).toContain('capstan serve')
})
