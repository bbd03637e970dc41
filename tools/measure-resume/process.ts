import { setImmediate as nextTask, setTimeout as sleep } from 'node:timers/promises'
import { callsOf, createThreads, defineTool, fromIterable } from '@capstan/harness'
import type { ModelClient, ModelPart, Threads, ThreadsOptions } from '@capstan/harness'
import { openEmbeddedStore } from '@capstan/stores'
import type { TurnEvent } from '@capstan/protocol'

// One start of the process that is measured. It says what it found as one line of JSON.

export type Task =
  /** Runs turns to their end, leaves some in the middle, and waits to be killed. */
  | { readonly do: 'leave-open'; readonly finished: number; readonly unfinished: number }
  /** Takes up what is unfinished. */
  | { readonly do: 'take-up'; readonly unfinished: number }
  /** Parks turns that wait for an approval. */
  | { readonly do: 'park'; readonly turns: number }
  /** Opens the folder with everything that waits, and lets one of them go on. */
  | { readonly do: 'reopen' }

export interface Found {
  readonly ms: number
  readonly rssMb: number
  readonly rssBeforeMb: number
  readonly running: number
  readonly waiting: number
}

const USAGE = {
  inputTokens: 900,
  outputTokens: 40,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  chargedUsd: 0,
  estimatedUsd: 0.001,
}
const LOOKS = 3

/** Looks three times; then says so, waits for good, or wants to send something, as it was asked to. */
const model: ModelClient = {
  id: 'fixture/looker',
  abilities: { tools: true, images: false, files: [] },
  stream: fromIterable(async function* ({ messages }): AsyncGenerator<ModelPart> {
    const done = messages.filter((message) => message.role === 'assistant' && callsOf(message).length > 0)
    const asked = messages.find(({ role }) => role === 'user')
    const wanted = asked?.role === 'user' && asked.parts[0]?.type === 'text' ? asked.parts[0].text : ''
    const tool = done.length < LOOKS ? 'look' : wanted
    if (tool === 'say' || done.length > LOOKS) yield { type: 'text', delta: WORDS }
    else {
      const id = `call_${done.length}`
      yield { type: 'text', delta: `Step ${done.length}. ` }
      yield { type: 'call', id, tool, argumentsText: JSON.stringify({ page: done.length }) }
    }
    yield { type: 'finish', reason: tool === 'say' ? 'stop' : 'tool-calls', usage: USAGE }
  }),
}

const WORDS = 'The tide turns at a quarter past five, and the harbour office opens at eight. '.repeat(5)
const PAGE = 'High water, low water, wind from the west, and a swell of two metres. '.repeat(20)
const input = { type: 'object' } as const

const tools = [
  defineTool({ name: 'look', description: 'Looks.', input, effect: 'read', run: () => PAGE }),
  defineTool({
    name: 'wait',
    description: 'Waits for good.',
    input,
    effect: 'read',
    timeoutMs: false,
    run: (_, { signal }) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
      }),
  }),
  defineTool({ name: 'send', description: 'Sends.', input, effect: 'write', run: () => 'It is sent.' }),
]

const INSTRUCTIONS = 'You look after a harbour. '.repeat(40)

function createHarbour(folder: string, onEvent: ThreadsOptions['onEvent']) {
  const store = openEmbeddedStore({ folder })
  const threads = createThreads({
    store,
    ...(onEvent ? { onEvent } : undefined),
    agent: { model, tools, instructions: INSTRUCTIONS, origin: 'web', budget: { wallClockMs: 1e9 } },
  })
  return { store, threads }
}

/** Counts events of one kind; settles when there are so many. */
function countEvents(type: TurnEvent['type'], isOne: (event: TurnEvent) => boolean = () => true) {
  let count = 0
  let wanted = Infinity
  let wake = (): void => {}
  return {
    onEvent: (event: TurnEvent): void => {
      if (event.type === type && isOne(event) && ++count >= wanted) wake()
    },
    async until(number: number) {
      wanted = number
      if (count < number) await new Promise<void>((resolve) => (wake = resolve))
    },
  }
}

/** Begins a turn in a thread of its own, and keeps nothing of it. */
async function begin(threads: Threads, wanted: string): Promise<void> {
  const { id } = await threads.create()
  const session = await threads.open(id)
  await session.submit(wanted)
}

async function beginMany(threads: Threads, wanted: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await begin(threads, wanted)
    // A real server has a pause now and then; without one, nothing is ever collected.
    if (n % 50 === 49) await threads.idle()
  }
}

async function readRss(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    await nextTask()
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    await sleep(20)
  }
  return process.memoryUsage().rss / 2 ** 20
}

const tell = (found: Partial<Found>) => void process.stdout.write(`${JSON.stringify(found)}\n`)

async function work(folder: string, task: Task): Promise<void> {
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  switch (task.do) {
    case 'leave-open': {
      const waits = countEvents('tool-start', (event) => event.type === 'tool-start' && event.tool === 'wait')
      const { threads } = createHarbour(folder, waits.onEvent)
      await beginMany(threads, 'say', task.finished)
      await threads.idle()
      for (let n = 0; n < task.unfinished; n++) await begin(threads, 'wait')
      await waits.until(task.unfinished)
      tell({ ms: elapsed() })
      // Until it is killed.
      setInterval(() => {}, 60_000)
      return
    }
    case 'take-up': {
      const resumes = countEvents('turn-resume')
      const { threads } = createHarbour(folder, resumes.onEvent)
      const { running, waiting } = await threads.resume()
      await resumes.until(task.unfinished)
      const ms = elapsed()
      tell({ ms, running, waiting, rssMb: await readRss() })
      process.exit(0)
      return
    }
    case 'park': {
      const asked = countEvents('approval-request')
      const { store, threads } = createHarbour(folder, asked.onEvent)
      // Everything is compiled and read by then.
      await beginMany(threads, 'send', Math.min(100, task.turns))
      const rssBeforeMb = await readRss()
      await beginMany(threads, 'send', task.turns - Math.min(100, task.turns))
      await asked.until(task.turns)
      await threads.idle()
      tell({
        ms: elapsed(),
        rssMb: await readRss(),
        rssBeforeMb,
        waiting: (await store.runs.unfinished()).length,
      })
      await threads.stop({ graceMs: 0 })
      await store.close()
      return
    }
    case 'reopen': {
      const ends = countEvents('turn-end')
      const { store, threads } = createHarbour(folder, ends.onEvent)
      const { running, waiting } = await threads.resume()
      const ms = elapsed()
      const rssMb = await readRss()
      const [one] = await threads.pendingApprovals()
      await threads.answer(one!.id, 'allow-once')
      await ends.until(1)
      tell({ ms, running, waiting, rssMb })
      await threads.stop({ graceMs: 0 })
      await store.close()
      return
    }
  }
}

const [folder, task] = process.argv.slice(2)
await work(folder!, JSON.parse(task!) as Task)
