import { describe, expect, it } from 'vitest'
import type { CallId } from '@capstan/protocol'
import type { ArtifactStore } from '../ports/artifact-store.ts'
import { createMemoryArtifacts } from '../ports/memory/memory-artifacts.ts'
import { createTestClock, createTestPath, createTestRun, stubTool } from '../testing/index.ts'
import { systemClock } from '../turn/clock.ts'
import type { RunContext } from '../turn/run-context.ts'
import { runToolCall } from './run-tool-call.ts'

/** A store that can be looked into. */
function openStore(options: Parameters<typeof createMemoryArtifacts>[0] = {}) {
  const artifacts = createMemoryArtifacts(options)
  const ids: string[] = []
  const discarded: string[] = []
  const watched: ArtifactStore = {
    ...artifacts,
    create(name) {
      const writer = artifacts.create(name)
      return {
        write: (text) => writer.write(text),
        async close() {
          const artifact = await writer.close()
          ids.push(artifact.id)
          return artifact
        },
        async discard() {
          discarded.push(name.callId)
          return writer.discard()
        },
      }
    },
  }
  const read = async (id: string): Promise<string> => {
    let text = ''
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const slice = await artifacts.read('thread_test', id, { offset, maxBytes: 1_000_000 })
      text += slice!.text
      offset = slice!.nextOffset
    }
    return text
  }
  return { artifacts: watched, ids, discarded, read }
}

function call(run: () => unknown, store = openStore(), more: Partial<RunContext> = {}) {
  const path = createTestPath([stubTool('talk', run)], {
    run: createTestRun(more),
    safety: { artifacts: store.artifacts, compaction: 'off' },
  })
  return runToolCall({ id: 'call_1' as CallId, tool: 'talk', arguments: {} }, path)
}

async function* pieces(...all: readonly unknown[]) {
  yield* all
}

describe('an output in pieces', () => {
  it.each<[string, readonly unknown[], string]>([
    ['text', ['one\n', 'two\n', 'three'], 'one\ntwo\nthree'],
    ['bytes', [Buffer.from('one '), new Uint8Array(Buffer.from('two'))], 'one two'],
    ['nothing', [], ''],
    ['empty pieces', ['', Buffer.alloc(0), 'x'], 'x'],
    ['other values', [1, true, null], '1truenull'],
  ])('is joined to one text: %s', async (_what, all, expected) => {
    expect(await call(() => pieces(...all))).toMatchObject({ ok: true, text: expected })
    expect(await call(async () => pieces(...all))).toMatchObject({ ok: true, text: expected })
  })

  it('keeps a character that is split between two byte pieces', async () => {
    const bytes = Buffer.from('é日😀')
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { text, outputBytes } = await call(() => pieces(bytes.subarray(0, cut), bytes.subarray(cut)))
      expect(text).toBe('é日😀')
      expect(outputBytes).toBe(bytes.length)
    }
  })

  it('that breaks off is a failed call, and nothing of it is kept', async () => {
    const store = openStore()
    const result = await call(async function* () {
      yield 'line\n'.repeat(50_000)
      throw Object.assign(new Error('the disk broke'), { code: 'EIO' })
    }, store)
    expect(result).toMatchObject({ ok: false, text: 'Error: the disk broke' })
    expect(result.failure).toBeDefined()
    expect(store.ids).toEqual([])
    expect(store.discarded).toEqual(['call_1'])
  })

  it('with a piece that cannot be written as text is a failure', async () => {
    expect(await call(() => pieces('a', Object.create(null)))).toMatchObject({ ok: false })
  })

  it('that never ends and never waits is abandoned at its deadline, and its iterator is closed', async () => {
    let ended = false
    const store = openStore()
    const tool = stubTool(
      'talk',
      async function* () {
        try {
          for (;;) yield 'more\n'.repeat(2_000)
        } finally {
          ended = true
        }
      },
      { timeoutMs: 20 },
    )
    const path = createTestPath([tool], {
      run: createTestRun({ clock: systemClock }),
      safety: { artifacts: store.artifacts },
    })
    const result = await runToolCall({ id: 'call_1' as CallId, tool: 'talk', arguments: {} }, path)
    expect(result).toMatchObject({ ok: false, failure: { class: 'timeout' } })
    expect(ended).toBe(true)
    expect(store.ids).toEqual([])
  })

  it('that stalls is abandoned after its deadline and the grace time, with its artifact', async () => {
    const clock = createTestClock()
    const store = openStore()
    const result = call(
      async function* () {
        yield 'line\n'.repeat(50_000)
        await new Promise(() => {})
      },
      store,
      { clock },
    )
    await clock.waiting()
    await clock.advance(120_000)
    expect(store.discarded).toEqual(['call_1'])
    await clock.advance(5_000)
    expect(await result).toMatchObject({ ok: false, failure: { class: 'timeout' } })
  })
})

describe('a long output', () => {
  const LONG = Array.from({ length: 30_000 }, (_, n) => `line ${n} 日😀\n`).join('')

  it.each([
    ['as a text', () => LONG],
    ['in pieces', () => pieces(...LONG.match(/[^]{1,997}/g)!)],
    [
      'in pieces of bytes',
      () =>
        pieces(...Array.from({ length: 700 }, (_, n) => Buffer.from(LONG).subarray(n * 997, (n + 1) * 997))),
    ],
    ['later', async () => LONG],
  ])('is kept whole, to the byte: %s', async (_how, run) => {
    const store = openStore()
    const result = await call(run, store)
    expect(result.ok).toBe(true)
    expect(result.outputBytes).toBe(Buffer.byteLength(LONG))
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(16 * 1024)
    expect(result.text.startsWith('line 0 日😀\nline 1 ')).toBe(true)
    expect(await store.read(store.ids[0]!)).toBe(LONG)
  })

  it('of one line is kept whole, with no character broken', async () => {
    const line = 'a😀'.repeat(100_000)
    const store = openStore()
    const result = await call(() => line, store)
    expect(result.text.isWellFormed()).toBe(true)
    expect(result.outputBytes).toBe(Buffer.byteLength(line))
    expect(await store.read(store.ids[0]!)).toBe(line)
  })

  it('of one line names its real size when the store is full', async () => {
    const line = `a${'😀'.repeat(200_000)}`
    const result = await call(() => line, openStore({ maxBytes: 1_000 }))
    expect(result.outputBytes).toBe(800_001)
    expect(result.text).toContain('[cut: 800001 bytes in all')
  })

  it.each([
    ['is full', () => openStore({ maxBytes: 1_000 })],
    [
      'is broken',
      () => ({
        ...openStore(),
        artifacts: {
          create: () => {
            throw new Error('EROFS')
          },
          read: async () => undefined,
        },
      }),
    ],
    [
      'breaks at the last moment, in every way',
      () => {
        const broken = () => Promise.reject(new Error('EIO'))
        const create = () => ({ write: () => {}, close: broken, discard: broken })
        return { ...openStore(), artifacts: { create, read: async () => undefined } }
      },
    ],
  ])(
    'is still a result when the store %s: the beginning, and a note that the rest is gone',
    async (_what, open) => {
      for (const run of [() => LONG, () => pieces(LONG, LONG), () => LONG.slice(0, 20_000)]) {
        const result = await call(run, open())
        expect(result.ok).toBe(true)
        expect(result.text).toContain('line 0 ')
        expect(result.text).toContain('could not be kept')
        expect(result.text).not.toContain('read_artifact')
      }
    },
  )
})
