import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadSummary } from '@capstan/protocol'
import type { Journal } from '../journal.ts'
import type { Scenario, ThreadScript } from '../scenario.ts'
import { queueModeOf } from '../scenario.ts'
import type { Apps } from './apps.ts'
import { createApps } from './apps.ts'
import type { RoundDatabase } from './database-server.ts'
import type { Door } from './door.ts'
import type { Follower } from './follower.ts'
import { followThread } from './follower.ts'
import type { Moments } from './moments.ts'
import { react } from './moods.ts'
import { playThread } from './play-thread.ts'
import { createThreadView } from './thread-view.ts'

/** Where a person acts, and what is noted of it. */
export interface Stage {
  readonly door: Door
  readonly journal: Journal
  readonly moments: Moments
  readonly database: RoundDatabase
  readonly notesUrl: string
}

/** A person at work in all threads of a round. */
export interface Performance {
  /** The scenario with the ids that the threads got. */
  readonly scenario: Scenario
  readonly followers: readonly Follower[]
  /** Settles when every turn has ended. */
  readonly done: Promise<void>
}

/** Creates the threads, connects the app, and begins to send. */
export async function perform(planned: Scenario, stage: Stage): Promise<Performance> {
  const { door } = stage
  const apps = createApps(door, stage.notesUrl)
  await apps.stock.signIn()
  await door.send('PATCH', '/api/settings', { queueMode: queueModeOf(planned) })
  const threads = await Promise.all(planned.threads.map((script) => createThread(script, door)))
  const playing = threads.map((script) => play(script, apps, stage))
  return {
    scenario: { threads },
    followers: playing.map(({ follower }) => follower),
    done: Promise.all([apps.notes.signIn(), ...playing.map(({ done }) => done)]).then(() =>
      apps.notes.signIn(),
    ),
  }
}

async function createThread(script: ThreadScript, door: Door): Promise<ThreadScript> {
  const { status, body } = await door.send<ThreadSummary>('POST', '/api/threads', {})
  if (status !== 200) throw new Error(`a thread was not created: ${status} ${JSON.stringify(body)}`)
  return { ...script, id: body.id }
}

function play(script: ThreadScript, apps: Apps, { door, journal, moments }: Stage) {
  const view = createThreadView()
  const own = { script, door, journal, view }
  const reactions = new Set<Promise<void>>()
  const problem = Promise.withResolvers<never>()
  problem.promise.catch(() => {})
  const follower = followThread({
    threadId: script.id,
    door,
    journal,
    onEvent(event) {
      moments.count()
      view.see(event)
      const reaction = react(own, apps, event).catch(problem.reject)
      reactions.add(reaction)
      void reaction.then(() => reactions.delete(reaction))
    },
  })
  async function act(): Promise<void> {
    await playThread(own)
    // A late answer may have begun another turn.
    while (reactions.size > 0 || !view.isFree()) {
      await Promise.all(reactions)
      await view.until(`the last turn of ${script.id}`, () => view.isFree())
    }
  }
  return { follower, done: Promise.race([act(), problem.promise]) }
}

const CATCH_UP_MS = 10_000

/** Waits until everybody who watches has seen the last event. The judge finds who has not. */
export async function untilSeen({ scenario, followers }: Performance, { database }: Stage): Promise<void> {
  const end = Date.now() + CATCH_UP_MS
  const ids = scenario.threads.map(({ id }) => id)
  while (Date.now() < end) {
    const rows = await database.query<{ id: string; last: number }>(
      'SELECT id, last_seq::integer AS last FROM threads WHERE id = ANY($1)',
      [ids],
    )
    if (rows.every(({ id, last }) => followers[ids.indexOf(id)]!.last() >= last)) return
    await sleep(20)
  }
}
