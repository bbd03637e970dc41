import { setImmediate as nextTask, setTimeout as sleep } from 'node:timers/promises'
import { createThreads, defineTool } from '@capstan/harness'
import { fromIterable } from '@capstan/harness/models'
import { callsOf } from '@capstan/harness/seams'
import type { ModelClient, Threads, ThreadsOptions } from '@capstan/harness'
import type { ModelPart } from '@capstan/harness/models'
import { openEmbeddedStore } from '@capstan/stores'
import type { TurnEvent } from '@capstan/protocol'

// One start of the measured process. It prints its measurement as one line of JSON.

/** What one process does. */
export type Task =
  /** Runs turns to their end, leaves some in the middle, and waits to be killed. */
  | { readonly do: 'leave-open'; readonly finished: number; readonly unfinished: number }
  /** Resumes unfinished turns. */
  | { readonly do: 'resume'; readonly unfinished: number }
  /** Parks turns that wait for an approval. */
  | { readonly do: 'park'; readonly turns: number }
  /** Opens the folder with all parked turns, and resumes one of them. */
  | { readonly do: 'reopen' }

/** What one process measured. */
export interface Measurement {
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
const READS = 3

/** Reads three times; then answers, waits for ever or calls `send`, as the message asks. */
const model: ModelClient = {
  id: 'fixture/looker',
  abilities: { tools: true, images: false, files: [] },
  stream: fromIterable(async function* ({ messages }): AsyncGenerator<ModelPart> {
    const done = messages.filter((message) => message.role === 'assistant' && callsOf(message).length > 0)
    const asked = messages.find(({ role }) => role === 'user')
    const wanted = asked?.role === 'user' && asked.parts[0]?.type === 'text' ? asked.parts[0].text : ''
    const tool = done.length < READS ? 'look' : wanted
    if (tool === 'answer' || done.length > READS) yield { type: 'text', delta: REPLY }
    else {
      const id = `call_${done.length}`
      yield { type: 'text', delta: `Step ${done.length}. ` }
      yield { type: 'call', id, tool, argumentsText: JSON.stringify({ page: done.length }) }
    }
    yield { type: 'finish', reason: tool === 'answer' ? 'stop' : 'tool-calls', usage: USAGE }
  }),
}

const REPLY = 'The tide turns at a quarter past five, and the harbour office opens at eight. '.repeat(5)
const PAGE = 'High water, low water, wind from the west, and a swell of two metres. '.repeat(20)
const input = { type: 'object' } as const

const tools = [
  defineTool({ name: 'look', description: 'Looks.', input, effect: 'read', run: () => PAGE }),
  defineTool({
    name: 'wait',
    description: 'Waits for ever.',
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

function openThreads(folder: string, onEvent: ThreadsOptions['onEvent']) {
  const store = openEmbeddedStore({ folder })
  const threads = createThreads({
    store,
    ...(onEvent ? { onEvent } : undefined),
    agent: { model, tools, instructions: INSTRUCTIONS, origin: 'web', budget: { wallClockMs: 1e9 } },
  })
  return { store, threads }
}

/** Counts events of one kind; `until` settles at a number of them. */
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

/** Starts a turn in a new thread, and holds no reference to it. */
async function startTurn(threads: Threads, wanted: string): Promise<void> {
  const { id } = await threads.create()
  const session = await threads.open(id)
  await session.submit(wanted)
}

async function startTurns(threads: Threads, wanted: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await startTurn(threads, wanted)
    // A real server has pauses. Without one, no garbage is collected.
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

const printMeasurement = (found: Partial<Measurement>) =>
  void process.stdout.write(`${JSON.stringify(found)}\n`)

async function work(folder: string, task: Task): Promise<void> {
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  switch (task.do) {
    case 'leave-open': {
      const waits = countEvents('tool-start', (event) => event.type === 'tool-start' && event.tool === 'wait')
      const { threads } = openThreads(folder, waits.onEvent)
      await startTurns(threads, 'answer', task.finished)
      await threads.idle()
      for (let n = 0; n < task.unfinished; n++) await startTurn(threads, 'wait')
      await waits.until(task.unfinished)
      printMeasurement({ ms: elapsed() })
      // Waits to be killed.
      setInterval(() => {}, 60_000)
      return
    }
    case 'resume': {
      const resumes = countEvents('turn-resume')
      const { threads } = openThreads(folder, resumes.onEvent)
      const { running, waiting } = await threads.resume()
      await resumes.until(task.unfinished)
      const ms = elapsed()
      printMeasurement({ ms, running, waiting, rssMb: await readRss() })
      process.exit(0)
      return
    }
    case 'park': {
      const asked = countEvents('approval-request')
      const { store, threads } = openThreads(folder, asked.onEvent)
      // The first turns compile and load everything.
      await startTurns(threads, 'send', Math.min(100, task.turns))
      const rssBeforeMb = await readRss()
      await startTurns(threads, 'send', task.turns - Math.min(100, task.turns))
      await asked.until(task.turns)
      await threads.idle()
      printMeasurement({
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
      const { store, threads } = openThreads(folder, ends.onEvent)
      const { running, waiting } = await threads.resume()
      const ms = elapsed()
      const rssMb = await readRss()
      const [one] = await threads.pendingApprovals()
      await threads.answer(one!.id, 'allow-once')
      await ends.until(1)
      printMeasurement({ ms, running, waiting, rssMb })
      await threads.stop({ graceMs: 0 })
      await store.close()
      return
    }
  }
}

const [folder, task] = process.argv.slice(2)
await work(folder!, JSON.parse(task!) as Task)
