import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../counts.ts'
import { roundFiles } from '../round-files.ts'
import type { SetUpReply, SyncsReply, Told } from './messages.ts'
import type { UnattendedPlan, UnattendedStart } from './plan-round.ts'
import type { World } from './play-steps.ts'
import { jump, playStep, settle } from './play-steps.ts'
import type { UnattendedNode } from './start-node.ts'
import { startNode } from './start-node.ts'

const HOUR = 60 * 60_000
/** A list is read whole once a day. */
const DAY_MS = 25 * HOUR
const SYNC_AGAIN_MS = 31 * 60_000
/** Runs that a sync may need for all of its pages. */
const MOST_SYNC_RUNS = 25
const MOST_TRIES = 200
/** A start that takes longer is stuck. */
const LONGEST_START_MS = 120_000

export interface RoundParts {
  readonly program: string
  readonly folder: string
  readonly plan: UnattendedPlan
  readonly world: World
  readonly findings: Finding[]
}

/** What was there at the end of a round. */
export interface RoundEnd {
  readonly setUp: SetUpReply
  readonly told: Told
}

interface Played {
  readonly kills: number
  readonly starts: number
  /** Undefined: a process did not get so far, and the findings say why. */
  readonly end?: RoundEnd
}

/** The answers that a person gave. */
export const answersPath = (folder: string): string => join(folder, 'answers.jsonl')

/** Starts the process, kills it, starts it again, until all steps are done and everything has come to rest. */
export async function playRound(parts: RoundParts): Promise<Played> {
  const { plan, world, findings } = parts
  const steps = [...plan.steps]
  let kills = 0
  let starts = 0
  let setUp: SetUpReply | undefined
  let told: Told | undefined
  const all: readonly UnattendedStart[] = [{ faults: [], steps: 0, signal: 'SIGKILL' }, ...plan.starts]
  for (const start of all) {
    const isLast = start === all.at(-1)
    starts++
    const { node, url } = await begin(start, parts)
    if (url !== undefined) {
      setUp ??= await node.ask<SetUpReply>({ type: 'set-up', setUp: plan.setUp })
      const { paths } = setUp!
      world.outbox.reach(({ kind }) => `${url}${paths[kind]}`)
      for (let n = 0; n < (start.steps ?? Infinity) && steps.length > 0 && !node.hasEnded; n++)
        await playStep(steps.shift()!, node, world)
      if (isLast) told = await finish(node, parts)
      node.end(start.signal)
    }
    const end = await node.ended
    world.outbox.reach(undefined)
    if (end.signal === 'SIGKILL') kills++
    else if (end.code !== 0) findings.push(broken(`start ${starts} ended with code ${end.code}`))
    for (const { text, isFatal } of node.problems) if (isFatal) findings.push(broken(text))
  }
  if (isStuck(told)) findings.push({ count: 'stuckRuns', text: 'the last start did not get to its end' })
  return { kills, starts, ...(setUp && told && { end: { setUp, told } }) }
}

const isStuck = (told: Told | undefined): boolean => told === undefined
const broken = (text: string): Finding => ({ count: 'invariantBreaks', text })

/** Starts a process, and plans when it is killed. */
async function begin(start: UnattendedStart, { program, folder, world }: RoundParts) {
  const { time, apps, outbox } = world
  const files = roundFiles(folder)
  const settings = {
    folder: files.store,
    notes: folder,
    effects: files.effects,
    answers: answersPath(folder),
    appUrl: apps.url,
    aheadMs: time.aheadMs,
    faults: start.faults,
  }
  time.begin()
  const node = startNode(program, settings, files.errors)
  const cancel = setTimeout(() => node.end('SIGKILL'), LONGEST_START_MS)
  void node.ended.then(() => {
    clearTimeout(cancel)
    time.end()
  })
  let requests = 0
  apps.onRequest = () => void (++requests === start.killAtRequest && node.end('SIGKILL'))
  let hooks = 0
  outbox.onHook = (when) => {
    if (when === start.killAtHook?.when && ++hooks === start.killAtHook.n) node.end('SIGKILL')
  }
  return { node, url: await node.up }
}

/** Lets everything come to rest: hooks are accepted, and every app is read to its end twice. */
async function finish(
  node: UnattendedNode,
  { plan, world, findings }: RoundParts,
): Promise<Told | undefined> {
  const { apps, outbox, time } = world
  apps.fail([])
  await settle(node, world)
  for (let n = 0; outbox.left > 0 && n < MOST_TRIES && !node.hasEnded; n++) {
    await sleep(20)
    outbox.sendLeft()
    await settle(node, world)
  }
  // What was under way when the last change came may have missed it. The next one does not.
  for (const _ of ['first', 'second']) {
    await jump(DAY_MS, node, world)
    const since = time.now()
    const isDone = (syncs: SyncsReply | undefined): boolean =>
      plan.setUp.apps.every((app) => (syncs?.[app] ?? 0) >= since)
    for (let n = 0; n < MOST_SYNC_RUNS && !node.hasEnded; n++) {
      await settle(node, world)
      if (isDone(await node.ask<SyncsReply>({ type: 'syncs' }))) break
      if (n === MOST_SYNC_RUNS - 1)
        findings.push({ count: 'stuckRuns', text: 'a sync did not come to its end' })
      await jump(SYNC_AGAIN_MS, node, world)
    }
  }
  await settle(node, world)
  return node.ask<Told>({ type: 'tell' })
}
