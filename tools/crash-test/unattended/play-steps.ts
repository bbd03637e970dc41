import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'
import type { LookReply } from './messages.ts'
import type { Outbox } from './outbox.ts'
import type { UnattendedStep } from './plan-round.ts'
import type { UnattendedNode } from './start-node.ts'
import type { SyncedApps } from './synced-app.ts'
import type { Timeline } from './timeline.ts'

const QUARTER_MS = 15 * 60_000
/** So often a process is asked whether it is done. */
const MOST_LOOKS = 1_500
/** After so many looks without an end time passes: a job of a killed process waits for the end of its lease. */
const PATIENT_LOOKS = 30
/** Less than a lease is renewed after, as for a process that lives. */
const LITTLE_MS = 4_000

/** What is around the processes of a round. */
export interface World {
  readonly apps: SyncedApps
  readonly outbox: Outbox
  readonly time: Timeline
  readonly random: Random
  /** What was left when a process did not come to rest. */
  readonly stuck: (left: readonly string[]) => void
}

/** Does a step. A process that is killed meanwhile does not hold it up. */
export async function playStep(step: UnattendedStep, node: UnattendedNode, world: World): Promise<void> {
  const { apps, outbox, time, random } = world
  switch (step.type) {
    case 'hook':
      return outbox.add(step.occurrence, step.copies)
    case 'edit': {
      for (const id of step.writes) apps.write(step.app, `i${id}`, time.now())
      const ids = [...apps.items(step.app).keys()]
      for (let n = 0; n < step.removals && ids.length > 3; n++) apps.remove(step.app, random.pick(ids))
      return
    }
    case 'app-faults':
      return apps.fail(step.faults)
    case 'jump':
      if (step.settles) await settle(node, world)
      return jump(step.ms, node, world)
    case 'quarter':
      await settle(node, world)
      return jump(QUARTER_MS - (time.now() % QUARTER_MS) + step.lateMs, node, world)
    case 'settle':
      await settle(node, world)
      return
    case 'answer':
      await node.ask({ type: 'answer' })
      return
    case 'pause':
      await sleep(step.ms)
  }
}

/** Time passes, as on a machine that slept. */
export async function jump(ms: number, node: UnattendedNode, { time }: World): Promise<void> {
  time.jump(ms)
  await node.ask({ type: 'jump', aheadMs: time.aheadMs })
}

/** Waits until everything that is due has been done. What is due soon is waited for by jumps. False: it was killed. */
export async function settle(node: UnattendedNode, world: World): Promise<boolean> {
  const { time, outbox } = world
  await outbox.idle()
  let left: readonly string[] = []
  for (let n = 0; n < MOST_LOOKS; n++) {
    const asked = time.now()
    const look = await node.ask<LookReply>({ type: 'look' })
    if (!look) return false
    if (look.isSettled) {
      time.settle(asked)
      return true
    }
    left = look.left
    const waitMs = (look.nextAt ?? 0) - time.now()
    if (waitMs > 20) await jump(waitMs, node, world)
    else if (n % PATIENT_LOOKS === PATIENT_LOOKS - 1) await jump(LITTLE_MS, node, world)
    else await sleep(4)
  }
  world.stuck(left)
  return !node.hasEnded
}
