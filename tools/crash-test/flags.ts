import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { NODE_SABOTAGES } from './nodes/sabotage-nodes.ts'
import type { NodeSabotage } from './nodes/sabotage-nodes.ts'
import type { Sabotage } from './sabotage.ts'
import { SABOTAGES } from './sabotage.ts'
import type { UnattendedSabotage } from './unattended/sabotage-unattended.ts'
import { UNATTENDED_SABOTAGES } from './unattended/sabotage-unattended.ts'

/** What the rounds are about. `both`: every third one is of work without a person. */
const MIXES = ['both', 'turns', 'unattended'] as const
export type Mix = (typeof MIXES)[number]

export const HELP = `Kills real processes at random points, restarts them, and checks that nothing was lost or done twice.

npm run crash-test -- [options]

  --rounds N      number of rounds (200)
  --seed S        seed of the random numbers (1)
  --jobs N        rounds at once (2)
  --only R        only the round with this number
  --mix M         turns: people who talk; unattended: syncs, triggers and schedules while nobody looks; both: every
                  third round is unattended (both)
  --agents N      one turn with N sub-agents in waves of four, instead of the usual mix
  --keep          keep the folders of the rounds, and print their paths
  --sabotage HOW  break the harness on purpose, with turns: ${SABOTAGES.join(', ')};
                  with unattended: ${UNATTENDED_SABOTAGES.join(', ')}
  --json          print the counts as one line of JSON, as the last line
  --store S       embedded, or postgres: several nodes on a real PostgreSQL, which are killed, frozen and cut off, and
                  whose database is restarted (embedded)
  --nodes N       with postgres: number of nodes (3). Sabotages: ${NODE_SABOTAGES.join(', ')}
  --help

Exits with 1 when any count is not 0, or the nodes take over too slowly. A failed round prints how to run it alone.
`

/** What the user asked for. */
export interface Flags {
  readonly rounds: number
  readonly seed: number
  readonly jobs: number
  readonly only: number | undefined
  readonly agents: number | undefined
  readonly keep: boolean
  readonly json: boolean
  readonly mix: Mix
  readonly sabotage: Sabotage | undefined
  readonly unattendedSabotage: UnattendedSabotage | undefined
  /** Undefined: one process with a store of its own. */
  readonly nodes: number | undefined
  readonly nodeSabotage: NodeSabotage | undefined
}

const OPTIONS = {
  rounds: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
  only: { type: 'string' },
  agents: { type: 'string' },
  sabotage: { type: 'string' },
  mix: { type: 'string', default: 'both' },
  store: { type: 'string', default: 'embedded' },
  nodes: { type: 'string', default: '3' },
  keep: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** The flags, or a text to print instead. */
export function readFlags(): Flags | string {
  try {
    const { values } = parseArgs({ options: OPTIONS })
    if (values.help) return HELP
    if (values.store !== 'embedded' && values.store !== 'postgres')
      return `There is no store "${values.store}".`
    const hasNodes = values.store === 'postgres'
    const sabotages = readSabotage(values.sabotage, hasNodes)
    if (!sabotages) return `There is no sabotage "${values.sabotage}" for this store.`
    const agents = values.agents === undefined ? undefined : toNumber('agents', values.agents, 1)
    const asked = MIXES.find((name) => name === values.mix)
    if (!asked) return `There is no mix "${values.mix}". Choose ${MIXES.join(', ')}.`
    return {
      rounds: toNumber('rounds', values.rounds, 1),
      seed: toNumber('seed', values.seed, 0),
      jobs: toNumber('jobs', values.jobs, 1),
      only: values.only === undefined ? undefined : toNumber('only', values.only, 1),
      agents,
      keep: values.keep,
      json: values.json,
      ...sabotages,
      mix: toMix(asked, agents, sabotages),
      nodes: hasNodes ? toNumber('nodes', values.nodes, 1) : undefined,
    }
  } catch (error) {
    return `${(error as Error).message}\nSee --help.`
  }
}

type Sabotages = Pick<Flags, 'sabotage' | 'unattendedSabotage' | 'nodeSabotage'>

/** Undefined: there is none of this name. */
function readSabotage(name: string | undefined, hasNodes: boolean): Sabotages | undefined {
  const find = <Name extends string>(names: readonly Name[], isFor: boolean): Name | undefined =>
    isFor ? names.find((one) => one === name) : undefined
  const found = {
    sabotage: find(SABOTAGES, !hasNodes),
    unattendedSabotage: find(UNATTENDED_SABOTAGES, !hasNodes),
    nodeSabotage: find(NODE_SABOTAGES, hasNodes),
  }
  return name === undefined || Object.values(found).some(Boolean) ? found : undefined
}

/** A sabotage, and a turn with many agents, are of one mix only. */
function toMix(asked: Mix, agents: number | undefined, { sabotage, unattendedSabotage }: Sabotages): Mix {
  if (sabotage !== undefined || agents !== undefined) return 'turns'
  return unattendedSabotage === undefined ? asked : 'unattended'
}

const EVERY = 3

/** Whether this round is of work without a person. */
export const isUnattendedRound = (mix: Mix, round: number): boolean =>
  mix === 'unattended' || (mix === 'both' && round % EVERY === 0)

function toNumber(name: string, text: string, min: number): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < min)
    throw new Error(`--${name} is a whole number of at least ${min}.`)
  return number
}

/** How to run a round alone, with the same flags. */
export function aloneCommand(flags: Flags, round: number): string {
  const { seed, agents, nodes, mix } = flags
  const sabotage = flags.sabotage ?? flags.unattendedSabotage ?? flags.nodeSabotage
  const parts = [
    `npm run crash-test -- --seed ${seed} --only ${round}`,
    ...(agents === undefined ? [] : [`--agents ${agents}`]),
    ...(nodes === undefined ? [] : [`--store postgres --nodes ${nodes}`]),
    ...(mix === 'both' || sabotage !== undefined || agents !== undefined ? [] : [`--mix ${mix}`]),
    '--keep',
    ...(sabotage === undefined ? [] : [`--sabotage ${sabotage}`]),
  ]
  return parts.join(' ')
}
