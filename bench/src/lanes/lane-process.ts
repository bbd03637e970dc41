import { rmSync } from 'node:fs'
import { measureAppRequests } from '../measures/measure-app-requests.ts'
import { measurePrefix } from '../measures/measure-prefix.ts'
import type { MeasuredPrefix } from '../measures/measure-prefix.ts'
import { measureSchemaBytes } from '../measures/measure-schema-bytes.ts'
import { measureSessions } from '../measures/measure-sessions.ts'
import { timeTurns } from '../measures/time-turns.ts'
import type { Subject } from '../subject.ts'
import type { Job, LaneMessage } from './job.ts'
import { storeFolder } from './store-folder.ts'

// The process of a lane: loads one subject, then runs one job at a time.

const [name = ''] = process.argv.slice(2)

// The parent is gone and cannot clean up.
process.on('disconnect', () => {
  rmSync(storeFolder(), { recursive: true, force: true })
  process.exit()
})

await answer(async () => {
  // A computed name, so that importing the bench does not need the types of the peers.
  const loaded: { readonly subject: Subject } = await import(`../subjects/${name}.ts`)
  process.on('message', (job: Job) => {
    void answer(async () => ({ type: 'answer', answer: await run(loaded.subject, job) }))
  })
  return { type: 'answer', answer: 'ready' }
})

async function run(subject: Subject, job: Job): Promise<unknown> {
  if (job.type === 'time') return timeTurns(subject, job)
  if (job.type === 'prefix') {
    const measured: Record<string, MeasuredPrefix> = {}
    for (const [shape, each] of Object.entries({ [name]: subject, ...subject.variants })) {
      measured[shape] = await measurePrefix(each, job.scenario)
    }
    return measured
  }
  if (job.type === 'sessions') return measureSessions(subject)
  if (job.type === 'schema') return measureSchemaBytes(name, subject)
  if (job.type === 'app-requests') return measureAppRequests(name, subject)
  if (job.type === 'connect') {
    const { measureConnect } = await import('../measures/measure-connect.ts')
    return measureConnect()
  }
  // Loads the harness, which only the lane of Capstan should load.
  const { measureExtra } = await import('../measures/measure-extra.ts')
  return measureExtra(job.extra)
}

async function answer(work: () => Promise<LaneMessage<unknown>>): Promise<void> {
  let message: LaneMessage<unknown>
  try {
    message = await work()
  } catch (error) {
    message = { type: 'broken', reason: error instanceof Error ? error.message : String(error) }
  }
  process.send?.(message)
}
