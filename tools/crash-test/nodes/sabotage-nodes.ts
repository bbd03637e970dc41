import type { Change } from '../bundle-process.ts'

/** Ways to break nodes on purpose, to check that the test notices. */
export const NODE_SABOTAGES = [
  'fencing', // a store that does not look which node owns a thread
] as const

/** The name of a sabotage of nodes. */
export type NodeSabotage = (typeof NODE_SABOTAGES)[number]

const CHECK = "epoch === undefined ? 'owner IS NULL' : `epoch = ${value(epoch)}`"

/** The change of the code that is a sabotage. */
export function toChange(sabotage: NodeSabotage | undefined): Change | undefined {
  if (sabotage === undefined) return undefined
  return (code, path) => {
    if (!path.endsWith('/postgres/ledger/commit-statement.ts')) return undefined
    if (!code.includes(CHECK)) throw new Error(`${path} does not check the owner where it did.`)
    return code.replace(CHECK, "'true'")
  }
}
