import type { AuditProblem } from '@capstan/protocol'
import { toHex } from '../../shared/audit/page-digest.ts'
import type { Seal } from '../../shared/seal.ts'
import type { Query } from '../database/database.ts'
import { countFields, openingFields, reachFields } from './chain-seals.ts'

/** Where the check of a chain is. */
export interface ChainState {
  /** The number of the next page, and the seal of the one before it. */
  next: number
  previous: string
  /** How far it is known to reach, and the seal of that page once it was found. */
  readonly reach: number
  macAtReach: string | undefined
  /** The last row of it that was found. */
  lastRow: number
}

interface ChainRow {
  readonly no: number
  readonly node: string
  readonly opened_at: number
  readonly seal: Uint8Array
  readonly reach: number
  readonly reach_seal: Uint8Array
}

/** Checks that all chains are there. `checkEnds`: call it once all rows were seen. */
export async function checkChains(
  query: Query,
  seal: Seal,
): Promise<{
  readonly chains: Map<number, ChainState>
  readonly problems: AuditProblem[]
  readonly checkEnds: () => AuditProblem[]
}> {
  const rows = await query<ChainRow>('SELECT * FROM chains ORDER BY no')
  const problems: AuditProblem[] = []
  const chains = new Map<number, ChainState>()
  let previous = ''
  let isAfterGap = false
  for (const { no, node, opened_at: openedAt, seal: opening, reach } of rows) {
    if (no !== chains.size + 1 && !isAfterGap) {
      problems.push({
        no: 0,
        kind: 'missing',
        text: `The chain before chain ${no} of node ${node} is missing.`,
      })
      isAfterGap = true
    } else if (!seal.fits(openingFields(no, node, openedAt, previous), opening)) {
      problems.push({ no: 0, kind: 'edited', text: `The start of chain ${no} of node ${node} was changed.` })
    }
    previous = toHex(opening)
    chains.set(no, { next: 1, previous: '', reach, macAtReach: reach === 0 ? '' : undefined, lastRow: 0 })
  }
  const [count] = await query<{ value: string; seal: Uint8Array | null }>(
    `SELECT value, seal FROM facts WHERE name = 'chains'`,
  )
  const last = rows.at(-1)
  const isCounted = count
    ? Number(count.value) === last?.no && seal.fits(countFields(Number(count.value), previous), count.seal)
    : rows.length === 0
  if (!isCounted)
    problems.push({
      no: 0,
      kind: 'missing',
      text: 'Chains at the end are missing, or their number was changed.',
    })
  const checkEnds = (): AuditProblem[] => rows.flatMap((row) => checkEnd(seal, row, chains.get(row.no)!))
  return { chains, problems, checkEnds }
}

function checkEnd(seal: Seal, row: ChainRow, state: ChainState): AuditProblem[] {
  const { no, node, reach } = row
  const at = state.lastRow
  if (state.next <= reach) {
    return [
      {
        no: at,
        kind: 'missing',
        text: `Rows at the end of chain ${no} of node ${node} are missing, behind row ${at}.`,
      },
    ]
  }
  if (seal.fits(reachFields(no, reach, state.macAtReach ?? ''), row.reach_seal)) return []
  return [{ no: at, kind: 'edited', text: `The note of where chain ${no} of node ${node} ends was changed.` }]
}
