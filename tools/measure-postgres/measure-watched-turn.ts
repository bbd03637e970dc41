import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelClient } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { openBell } from '@capstan/stores/postgres'
import { Client } from 'pg'
import { createFakeModelClient } from '../../bench/src/fakes/fake-model-client.ts'
import { countCommits } from '../../bench/src/measures/count-commits.ts'
import { toLoopScript } from '../../bench/src/script.ts'
import type { Loop } from '../../bench/src/script.ts'
import { createTape } from '../../bench/src/tape.ts'
import type { Report } from './report.ts'
import { runTurn } from './run-turn.ts'

/** A turn with a model that takes its time, whose events ring a bell: how many commits and rings it makes. */
export async function measureWatchedTurn(
  { store, url, loop, pauseMs }: { store: Store; url: string; loop: Loop; pauseMs: number },
  report: Report,
): Promise<void> {
  const bell = await openBell({ url, nodeId: 'measured', onProblem: console.error })
  const listener = new Client({ connectionString: url })
  await listener.connect()
  let rings = 0
  listener.on('notification', () => rings++)
  await listener.query('LISTEN capstan')
  const counts = { commits: 0, syncs: 0, records: 0 }
  const before = performance.now()
  await runTurn({
    store: countCommits(store, counts),
    model: slowModel(createFakeModelClient(createTape(toLoopScript(loop), 'newest')), pauseMs),
    effect: 'read',
    onEvent: ({ threadId, seq }) => bell.ring('thread', threadId, seq),
  })
  const seconds = Number(((performance.now() - before) / 1_000).toFixed(1))
  await bell.close()
  // An answer to this listener comes after everything it was told before.
  await listener.query('SELECT 1')
  await listener.end()
  const { iterations, deltasPerIteration } = loop
  report(`a watched turn of ${iterations} iterations, ${deltasPerIteration} pieces of text each`, {
    seconds,
    commits: counts.commits,
    rings,
  })
}

/** Waits before each part of a reply. */
const slowModel = (model: ModelClient, pauseMs: number): ModelClient => ({
  ...model,
  stream: (request, signal, onPart) =>
    model.stream(request, signal, async (part) => {
      await sleep(pauseMs)
      await onPart(part)
    }),
})
