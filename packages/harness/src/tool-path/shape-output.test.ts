import { describe, expect, it } from 'vitest'
import type { CallId } from '@capstan/protocol'
import { createSession } from '../entry-points/session/session.ts'
import { createMemoryArtifacts } from '../ports/memory/memory-artifacts.ts'
import { createMemoryStore } from '../ports/memory/memory-store.ts'
import { createMemoryAuditLog } from '../ports/memory/memory-audit-log.ts'
import {
  ALLOW_ALL,
  calls,
  createTestClock,
  createTestPath,
  recordEvents,
  says,
  ScriptedModel,
  stubTool,
} from '../testing/index.ts'
import { createReadArtifactTool } from '../tools/read-artifact.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { runToolCall } from './run-tool-call.ts'

const KEY = 'sk-proj-9Hq3vTz8LmX2cRb7NwYk5Pd1Js6Gf4Ua'
const STORED = 'correct horse battery staple'
const LINES = 'an ordinary line of text, neither short nor long\n'.repeat(3_000)

async function* pieces(...all: readonly unknown[]) {
  yield* all
}

describe('a secret in the output of a tool', () => {
  const secretive = `before ${KEY} between ${STORED} after`
  const thrown = (error: unknown) => () => {
    throw error
  }

  it.each<[string, Tool['run']]>([
    ['its output', () => secretive],
    ['an object', () => ({ deep: [{ secretive }] })],
    ['the text of a failure', () => fail(secretive)],
    ['the text of a failed command', () => fail(secretive, { exitCode: 1 })],
    ['an error', thrown(new Error(secretive))],
    ['a rejection', () => Promise.reject(new Error(secretive))],
    ['a thrown text', thrown(secretive)],
    ['the code of an error', thrown(Object.assign(new Error(secretive), { code: KEY }))],
    ['the cause of an error', thrown(new Error(secretive, { cause: new Error(KEY) }))],
    [
      'two pieces, cut in the middle',
      () => pieces(secretive.slice(0, 20), secretive.slice(20, 60), secretive.slice(60)),
    ],
    ['pieces of one letter', () => pieces(...secretive.split(''))],
    [
      'pieces of bytes',
      () =>
        pieces(
          ...Buffer.from(secretive)
            .toString('latin1')
            .split('')
            .map((c) => Buffer.from(c)),
        ),
    ],
    [
      'an error half way',
      async function* () {
        yield secretive
        throw new Error(secretive)
      },
    ],
    ['a large output', () => `${LINES}${secretive}\n${LINES}`],
    ['the first line of a large output', () => `${secretive}\n${LINES}`],
    [
      'a large output in pieces',
      () => pieces(LINES, secretive.slice(0, 25), secretive.slice(25), '\n', LINES),
    ],
    ['a large failure', () => fail(`${secretive}\n${LINES}`)],
  ])('is hidden everywhere: %s', async (_where, run) => {
    const written: string[] = []
    const media = createMemoryArtifacts()
    const store = createMemoryStore()
    const events = recordEvents()
    const audit = createMemoryAuditLog()
    const observed: unknown[] = []
    const model = new ScriptedModel(calls('talk'), says('ok'))
    const session = createSession({
      model,
      store,
      tools: [stubTool('talk', run)],
      onEvent: events.onEvent,
      observers: [
        {
          messageAppended: (_run, message) => void observed.push(message),
          callFinished: (_run, { call, result }) => void observed.push(call, result),
          turnEnded: (_run, outcome) => void observed.push(outcome),
        },
      ],
      safety: {
        ...ALLOW_ALL,
        secrets: [STORED],
        audit,
        artifacts: {
          ...media,
          create(name) {
            const writer = media.create(name)
            return { ...writer, write: (text) => (written.push(text), writer.write(text)) }
          },
        },
      },
    })
    const outcome = await session.send('go')
    const recorders = [
      events.all,
      session.messages,
      await store.ledger.read(session.threadId),
      observed,
      audit.rows,
      written.join(''),
      model.request(1),
      outcome,
    ]
    for (const recorder of recorders) {
      const text = JSON.stringify(recorder)
      expect(text).not.toContain(KEY)
      expect(text).not.toContain(KEY.slice(8))
      expect(text).not.toContain(STORED)
    }
    const [end] = events.of('tool-end')
    if (!_where.includes('half way')) expect(end!.output + written.join('')).toContain('before')
  })
})

/** One call of one tool, and its artifact. */
async function shape(tool: Tool, { reader = false } = {}) {
  const artifacts = createMemoryArtifacts()
  const path = createTestPath([tool, ...(reader ? [createReadArtifactTool(artifacts)] : [])], {
    safety: { artifacts, compaction: 'off' },
  })
  const result = await runToolCall({ id: 'call_1' as CallId, tool: tool.name, arguments: {} }, path)
  const id = /read_artifact \{"id": "([^"]+)"/.exec(result.text)?.[1]
  const read = (offset: number) =>
    runToolCall({ id: 'call_2' as CallId, tool: 'read_artifact', arguments: { id: id!, offset } }, path)
  return { result, id, read }
}

describe('an output over the budget', () => {
  const long = Array.from({ length: 1_500 }, (_, n) => `row ${n} of the whole\n`).join('')

  it('is shown in part, with its full size', async () => {
    const { result } = await shape(stubTool('list', () => long))
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(16 * 1024)
    expect(result.text.startsWith('row 0 of the whole\n')).toBe(true)
    expect(result.text).toContain(`the whole output is ${long.length} bytes`)
    expect(result.outputBytes).toBe(long.length)
  })

  it('says how to read the rest only when it can be read', async () => {
    expect((await shape(stubTool('list', () => long))).result.text).not.toContain('read_artifact')
    expect(
      (
        await shape(
          stubTool('list', () => long),
          { reader: true },
        )
      ).id,
    ).toBeDefined()
  })

  it('can be read to its end', async () => {
    const { read } = await shape(
      stubTool('list', () => long),
      { reader: true },
    )
    let text = ''
    for (let offset = 0, next: string | undefined; ; offset = Number(next)) {
      const part = (await read(offset)).text
      const note = part.lastIndexOf('\n[')
      text += part.slice(0, note)
      next = /read on with offset (\d+)/.exec(part.slice(note))?.[1]
      if (next === undefined) break
    }
    expect(text).toBe(long)
  })

  it('that failed still starts with the failure', async () => {
    const { result } = await shape(stubTool('list', () => fail(long, { exitCode: 1 })))
    expect(result).toMatchObject({ ok: false, failure: { class: 'command_failed' } })
    expect(result.text.startsWith('Error: row 0')).toBe(true)
  })

  it('of a tool with exact output is kept whole', async () => {
    const { result, read } = await shape(
      stubTool('list', () => long, { exact: true }),
      { reader: true },
    )
    expect(result.text).toContain(`the whole output is ${long.length} bytes`)
    expect((await read(long.length - 10)).text).toContain('the whole')
  })

  it('of a tool that allows fewer characters is kept whole', async () => {
    const { result, id } = await shape(
      stubTool('list', () => 'abcdefgh', { maxOutputChars: 4 }),
      { reader: true },
    )
    expect(result.text.startsWith('abcd\n')).toBe(true)
    expect(id).toBeDefined()
  })
})

describe('an output within the budget', () => {
  const rows = JSON.stringify(
    Array.from({ length: 40 }, (_, n) => ({ id: n, name: `row ${n}`, empty: null, tags: [] })),
    undefined,
    4,
  )
  const run = (tool: Tool) =>
    runToolCall(
      { id: 'call_1' as CallId, tool: tool.name, arguments: {} },
      createTestPath([tool], { safety: { compaction: 'full' } }),
    )

  it('is compacted, unless its tool declares it exact', async () => {
    expect((await run(stubTool('list', () => rows))).text.length).toBeLessThan(rows.length)
    expect((await run(stubTool('list', () => rows, { exact: true }))).text).toBe(rows)
  })

  it('is returned even if its tool cannot name the command it ran', async () => {
    const command = () => {
      throw new Error('no idea')
    }
    const { text } = await run(stubTool('list', () => LINES.slice(0, 2_000), { command }))
    expect(text).toContain('an ordinary line')
  })

  it('is the same bytes for the same output', async () => {
    const once = await run(stubTool('list', () => `${rows}${KEY}`))
    const again = await run(stubTool('list', () => `${rows}${KEY}`))
    expect(again.text).toBe(once.text)
  })
})

describe('a tool that never returns', () => {
  it('is abandoned, and the turn continues', async () => {
    const clock = createTestClock()
    const session = createSession({
      model: new ScriptedModel(calls('stuck'), says('I went on.')),
      tools: [stubTool('stuck', () => new Promise(() => {}))],
      clock,
    })
    const outcome = session.send('go')
    await clock.waiting()
    await clock.advance(125_000)
    expect(await outcome).toMatchObject({ type: 'done', text: 'I went on.' })
  })
})

describe('anything a tool throws', () => {
  const getter = Object.defineProperty({}, 'message', {
    get() {
      throw new Error('gotcha')
    },
  })
  const circular = new Error('round')
  circular.cause = circular

  it.each<[string, unknown]>([
    ['a text', 'broken'],
    ['null', null],
    ['nothing', undefined],
    ['a frozen object', Object.freeze({ code: 'EFROZEN' })],
    ['a getter that throws', getter],
    ['an error that causes itself', circular],
    ['a number', 7],
    ['a symbol', Symbol('x')],
  ])('is one failure with a class: %s', async (_what, value) => {
    for (const run of [
      () => {
        throw value
      },
      () => Promise.reject(value),
      async function* () {
        yield 'a'
        throw value
      },
    ]) {
      const events = recordEvents()
      const session = createSession({
        model: new ScriptedModel(calls('breaks'), says('ok')),
        tools: [stubTool('breaks', run)],
        onEvent: events.onEvent,
      })
      expect(await session.send('go')).toMatchObject({ type: 'done' })
      expect(events.of('tool-end')).toHaveLength(1)
      expect(events.of('tool-end')[0]).toMatchObject({ ok: false, failure: { class: expect.any(String) } })
      expect(events.of('tool-end')[0]!.failure!.cause).not.toBe('')
    }
  })
})

describe('a budget below the compaction minimum', () => {
  it('applies, and the whole output is kept', async () => {
    const artifacts = createMemoryArtifacts()
    const tool = stubTool('tell', () => 'word '.repeat(40))
    const path = createTestPath([tool], { limits: { maxOutputBytes: 100 }, safety: { artifacts } })
    const result = await runToolCall({ id: 'call_1' as CallId, tool: 'tell', arguments: {} }, path)
    expect(result.text).not.toContain('word '.repeat(21))
    expect(result.text).toContain('the whole output is 200 bytes')
  })
})
