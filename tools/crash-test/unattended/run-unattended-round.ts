import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleProcess } from '../bundle-process.ts'
import type { Finding } from '../counts.ts'
import { checkDatabases, readErrors } from '../judge-round.ts'
import { createRandom } from '../random.ts'
import type { RoundReport } from '../run-round.ts'
import { judgeUnattended } from './judge-unattended.ts'
import { createOutbox } from './outbox.ts'
import type { UnattendedPlan } from './plan-round.ts'
import { planRound } from './plan-round.ts'
import { playRound } from './play-round.ts'
import type { World } from './play-steps.ts'
import type { UnattendedSabotage } from './sabotage-unattended.ts'
import { toChange } from './sabotage-unattended.ts'
import { startSyncedApps } from './synced-app.ts'
import { createTimeline } from './timeline.ts'

/** One round of work without a person. */
export interface UnattendedOptions {
  readonly seed: number
  readonly round: number
  /** The bundled program to start. */
  readonly program: string
  /** Replaces the plan of the seed. */
  readonly plan?: UnattendedPlan
  readonly keep?: boolean
}

/** Bundles the process that works without a person. */
export const bundleUnattended = (sabotage?: UnattendedSabotage): ReturnType<typeof bundleProcess> =>
  bundleProcess('unattended/unattended-process.ts', toChange(sabotage))

/** Kills and restarts an assistant that works without a person, then compares what it did with what happened. */
export async function runUnattendedRound(options: UnattendedOptions): Promise<RoundReport> {
  const { seed, round, keep = false, plan = planRound(seed, round) } = options
  const startedAt = performance.now()
  const folder = await mkdtemp(join(tmpdir(), `capstan-unattended-${round}-`))
  const apps = await startSyncedApps(plan.pageSize)
  const findings: Finding[] = []
  const random = createRandom(seed, round, 'play')
  const world: World = {
    apps,
    outbox: createOutbox(random),
    time: createTimeline(plan.beginsAt),
    random,
    stuck: (left) =>
      findings.push({ count: 'stuckRuns', text: `not done after a long time: ${left.join('; ')}` }),
  }
  try {
    for (const app of plan.setUp.apps)
      for (let n = 1; n <= plan.items; n++) apps.write(app, `i${n}`, world.time.now())
    const { kills, starts, end } = await playRound({
      program: options.program,
      folder,
      plan,
      world,
      findings,
    })
    if (end) findings.push(...(await judgeUnattended({ folder, plan, world, ...end })))
    findings.push(...checkDatabases(folder))
    const ms = performance.now() - startedAt
    const errors = readErrors(folder)
    return { round, findings, kills, starts, ms, errors, ...(keep ? { folder } : undefined) }
  } finally {
    apps.stop()
    if (!keep) await rm(folder, { recursive: true, force: true })
  }
}
