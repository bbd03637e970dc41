import { defineTool, succeed } from '@capstan/harness'
import { calls, fails, says, ScriptedModel } from '@capstan/harness/testing'
import type { Step } from '@capstan/harness/testing'
import { WEBHOOK_KINDS } from '@capstan/protocol'
import type { TriggerRow, WebhookKind } from '@capstan/protocol'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openAuth } from '../auth/auth.ts'
import { startServer } from '../serve.ts'
import { createFolder, openWorld } from '../sessions/assistant.fixture.ts'
import type { LabelledTrigger } from './labelled-triggers.fixture.ts'
import { createLabelledTriggers } from './labelled-triggers.fixture.ts'
import { headersOf, SECRET } from './signatures/signed-request.fixture.ts'

const MANY = 3_000
const PATIENT = { timeout: 100_000, interval: 250 }

async function open(step: Step, folder?: string) {
  const written: string[] = []
  const model = new ScriptedModel(...Array.from({ length: MANY }, () => step))
  const tools = [
    defineTool({
      name: 'write_note',
      description: 'Writes a note.',
      effect: 'write',
      input: { type: 'object', properties: {} },
      run: () => (written.push('note'), succeed('written')),
    }),
  ]
  const where = folder ?? (await createFolder())
  const world = await openWorld({ model, tools, mode: 'full', folder: where })
  const { assistant } = world
  const strangers = { burst: 1_000, perSecond: 100 }
  const auth = openAuth({ folder: where })
  const server = await startServer({ assistant, auth, port: 0, limits: { strangers } })
  onTestFinished(() => server.stop({ graceMs: 0 }))
  const { triggers } = assistant
  return {
    ...world,
    model,
    written,
    triggers,
    send: (path: string, { body, headers }: Pick<LabelledTrigger, 'body' | 'headers'>) =>
      fetch(`${server.url}${path}`, { method: 'POST', body, headers }),
    addSource: async (kind: WebhookKind, rule = '') =>
      (
        await triggers.sources.add('local', {
          kind,
          name: `From ${kind}`,
          secret: SECRET,
          rule,
          budget: { usd: 500, runs: 1_000 },
        })
      ).source,
    async rows(): Promise<readonly TriggerRow[]> {
      const all: TriggerRow[] = []
      for (let after: string | undefined; ;) {
        const page = await triggers.activity.list('local', { limit: 100, ...(after && { after }) })
        all.push(...page!.triggers)
        if (page!.next === undefined) return all
        after = page!.next
      }
    },
  }
}

const textOf = (request: Parameters<Extract<Step, (...args: never[]) => unknown>>[0]): string =>
  JSON.stringify(request.messages)
const isTriage = (request: Parameters<typeof textOf>[0]): boolean =>
  request.tools.length === 0 && textOf(request).includes('A trigger came in at')
const decision = (action: string) =>
  says(
    JSON.stringify({ action, target_agent: 'orchestrator', prompt: 'Look at it.', reason: 'As labelled.' }),
  )
const numberIn = (text: string): number => Number(/case-(\d+)\./.exec(text)?.[1])
const signed = (n: number) => {
  const body = JSON.stringify({ id: `one-${n}`, title: `case-${n}.` })
  return { body, headers: headersOf('generic', body, { at: Date.now(), secret: SECRET }) }
}

describe('200 scripted triggers, 40 of them hostile', () => {
  it('are decided as labelled, once each, and nothing above a read runs', async () => {
    const list = createLabelledTriggers(Date.now(), SECRET)
    expect(list).toHaveLength(200)
    const accepted = list.filter(({ status }) => status === 202)
    const labels = new Map(accepted.map((one) => [numberIn(one.body), one.label!]))
    const asked = new Set<number>()
    const world = await open((request) => {
      const text = textOf(request)
      const n = numberIn(text)
      if (isTriage(request)) {
        // Each tenth first answer is broken.
        const isFirst = !asked.has(n)
        asked.add(n)
        return isFirst && n % 10 === 0 ? says('I think: {"action": "re') : decision(labels.get(n)!)
      }
      const hasCalled = request.messages.some(({ role }) => role === 'tool')
      return text.includes('FOOLED') && !hasCalled ? calls('write_note', {}) : says('Looked.')
    })
    const paths = new Map<string, string>()
    for (const kind of WEBHOOK_KINDS) paths.set(kind, (await world.addSource(kind)).path!)
    for (const one of list) {
      const answer = await world.send(paths.get(one.kind)!, one)
      const text = await answer.text()
      expect(answer.status, one.name).toBe(one.status)
      expect(text, one.name).not.toContain('case-')
    }
    await vi.waitFor(async () => {
      const left = (await world.rows()).filter(({ status }) => status !== 'done')
      expect(left.map(({ label, status, waitsFor }) => [label, status, waitsFor])).toEqual([])
    }, PATIENT)
    const rows = await world.rows()
    expect(rows).toHaveLength(accepted.length)
    for (const { id, decision: made } of rows) {
      const { payload } = (await world.triggers.activity.get('local', id))!
      const n = numberIn(payload)
      expect(made?.action, payload.slice(0, 80)).toBe(labels.get(n))
      expect(made?.by).toBe(n % 10 === 0 ? 'retry' : 'first')
    }
    expect(world.written).toEqual([])
    expect(rows.filter(({ outcome }) => outcome?.type === 'waits')).toHaveLength(4)
    expect(await world.assistant.threadsOf('local').pendingApprovals()).toHaveLength(4)
    const unknown = await world.send('/hooks/unknown', list[0]!)
    expect(unknown.status).toBe(404)
  }, 120_000)
})

describe('a trigger', () => {
  it('stays, deferred, while no model answers, and is decided once when it is back, also after a restart', async () => {
    const folder = await createFolder()
    const before = await open(() => fails(503), folder)
    const { path } = await before.addSource('generic')
    expect((await before.send(path!, signed(1))).status).toBe(202)
    const [row] = await vi.waitFor(async () => {
      const rows = await before.rows()
      expect(rows).toMatchObject([{ status: 'waiting', waitsFor: 'model' }])
      return rows
    }, PATIENT)
    await before.assistant.stop({ graceMs: 0 })
    const after = await open(() => decision('acknowledge'), folder)
    expect((await after.send(path!, signed(2))).status).toBe(202)
    await after.assistant.jobs.runNow('local', row!.id)
    await vi.waitFor(async () => {
      const rows = await after.rows()
      expect(rows.map(({ status }) => status)).toEqual(['done', 'done'])
      expect(rows.find(({ id }) => id === row!.id)).toMatchObject({ decision: { action: 'acknowledge' } })
    }, PATIENT)
    expect(after.model.requests).toBe(2)
  }, 60_000)

  it('is dropped without a model while its source, or everything, is switched off', async () => {
    const world = await open(() => decision('react'))
    const { id, path } = await world.addSource('generic')
    await world.triggers.sources.change('local', id, { isOff: true })
    await world.send(path!, signed(1))
    await world.triggers.sources.change('local', id, { isOff: false })
    await world.triggers.sources.changeSettings('local', { isOff: true })
    await world.send(path!, signed(2))
    await vi.waitFor(async () => {
      const rows = await world.rows()
      expect(rows.map(({ status }) => status)).toEqual(['done', 'done'])
    }, PATIENT)
    expect((await world.rows()).at(0)?.decision).toMatchObject({ action: 'drop', by: 'switch' })
    expect(world.model.requests).toBe(0)
  }, 60_000)

  it('waits for the next day when the budget of its source is used up', async () => {
    const world = await open((request) => (isTriage(request) ? decision('react') : says('Looked.')))
    const { id, path } = await world.addSource('generic')
    await world.triggers.sources.change('local', id, { budget: { usd: 1, runs: 1 } })
    await world.send(path!, signed(1))
    await world.send(path!, signed(2))
    await vi.waitFor(async () => {
      const rows = await world.rows()
      expect(rows.map(({ status }) => status).toSorted()).toEqual(['done', 'waiting'])
      expect(rows.find(({ status }) => status === 'waiting')).toMatchObject({ waitsFor: 'budget' })
    }, PATIENT)
    expect(world.triggers.sources.list('local').sources[0]!.used.runs).toBe(1)
    expect(await world.triggers.activity.calls('local')).toMatchObject([{ sourceId: id, decidedToday: 2 }])
  }, 60_000)

  it('that was judged wrong becomes an example for the next one, with the rule of the source', async () => {
    const world = await open(() => decision('acknowledge'))
    const { path } = await world.addSource('generic', 'Only from my boss.')
    const judged = (count: number) =>
      vi.waitFor(async () => {
        const rows = await world.rows()
        expect(rows.filter(({ status }) => status === 'done')).toHaveLength(count)
        return rows
      }, PATIENT)
    await world.send(path!, signed(1))
    const [row] = await judged(1)
    await world.triggers.correct('local', row!.id, { right: 'drop', note: 'Never of builds.' })
    await world.send(path!, signed(2))
    await judged(2)
    expect(world.model.request(1).system).toContain('Only from my boss.')
    expect(textOf(world.model.request(1))).toContain('Right: drop. The user says: Never of builds.')
    expect(await world.triggers.correct('eve', row!.id, { right: 'drop' })).toBeUndefined()
    const { sources } = world.triggers
    const { id } = sources.list('local').sources[0]!
    const [example] = sources.examples('local', id)!
    expect(example).toMatchObject({ right: 'drop', note: 'Never of builds.', isShown: true })
    expect(sources.examples('eve', id)).toBeUndefined()
    expect(await sources.removeExample('eve', row!.id)).toBe(false)
    expect(await sources.removeExample('local', row!.id)).toBe(true)
    expect(sources.examples('local', id)).toEqual([])
  }, 60_000)
})
