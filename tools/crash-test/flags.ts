import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { NODE_SABOTAGES } from './nodes/sabotage-nodes.ts'
import type { NodeSabotage } from './nodes/sabotage-nodes.ts'
import type { Sabotage } from './sabotage.ts'
import { SABOTAGES } from './sabotage.ts'

export const HELP = `Kills real processes at random points, restarts them, and checks that nothing was lost or done twice.

npm run crash-test -- [options]

  --rounds N      number of rounds (200)
  --seed S        seed of the random numbers (1)
  --jobs N        rounds at once (2)
  --only R        only the round with this number
  --agents N      one turn with N sub-agents in waves of four, instead of the usual mix
  --keep          keep the folders of the rounds, and print their paths
  --sabotage HOW  break the harness on purpose: ${SABOTAGES.join(', ')}
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
  readonly sabotage: Sabotage | undefined
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
    const sabotage = hasNodes ? undefined : SABOTAGES.find((name) => name === values.sabotage)
    const nodeSabotage = hasNodes ? NODE_SABOTAGES.find((name) => name === values.sabotage) : undefined
    if (values.sabotage !== undefined && !sabotage && !nodeSabotage)
      return `There is no sabotage "${values.sabotage}" for this store.`
    return {
      rounds: toNumber('rounds', values.rounds, 1),
      seed: toNumber('seed', values.seed, 0),
      jobs: toNumber('jobs', values.jobs, 1),
      only: values.only === undefined ? undefined : toNumber('only', values.only, 1),
      agents: values.agents === undefined ? undefined : toNumber('agents', values.agents, 1),
      keep: values.keep,
      json: values.json,
      sabotage,
      nodes: hasNodes ? toNumber('nodes', values.nodes, 1) : undefined,
      nodeSabotage,
    }
  } catch (error) {
    return `${(error as Error).message}\nSee --help.`
  }
}

function toNumber(name: string, text: string, min: number): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < min)
    throw new Error(`--${name} is a whole number of at least ${min}.`)
  return number
}

/** How to run a round alone, with the same flags. */
export function aloneCommand({ seed, agents, sabotage, nodes, nodeSabotage }: Flags, round: number): string {
  const parts = [
    `npm run crash-test -- --seed ${seed} --only ${round}`,
    ...(agents === undefined ? [] : [`--agents ${agents}`]),
    ...(nodes === undefined ? [] : [`--store postgres --nodes ${nodes}`]),
    '--keep',
    ...(sabotage === undefined ? [] : [`--sabotage ${sabotage}`]),
    ...(nodeSabotage === undefined ? [] : [`--sabotage ${nodeSabotage}`]),
  ]
  return parts.join(' ')
}
