import type { Change } from '../bundle-process.ts'

/** Ways to break work without a person on purpose, to check that the test notices. */
export const UNATTENDED_SABOTAGES = [
  'early-sync-state', // a sync says that a page is done before its items are stored
  'same-items-again', // a sync stores items that it has in the same version
  'trigger-dedup', // each delivery is a trigger of its own
  'early-accept', // a hook is accepted before it is stored
  'skipped-firings', // a schedule moves on before its turn is stored
  'unattended-writes', // calls above a read run without a person
] as const

/** The name of a sabotage of work without a person. */
export type UnattendedSabotage = (typeof UNATTENDED_SABOTAGES)[number]

/** In the file that ends like this, the first text becomes the second. */
type Edit = readonly [path: string, from: string, to: string]

/** Lets a start be killed at its n-th write. */
const STRIKE: Edit = [
  '/embedded/database/store-access.ts',
  'return connection.transaction(work)',
  'return globalThis.strikeWrite ? globalThis.strikeWrite(() => connection.transaction(work)) : connection.transaction(work)',
]

/** Notes what is stored in memory, before and after. */
const NOTES: readonly Edit[] = [
  [
    '/embedded/memory/user-memory.ts',
    'put(userId, items) {',
    "put(userId, items) { globalThis.notePuts?.('begin', items)",
  ],
  [
    '/embedded/memory/user-memory.ts',
    'changed(items.length * BYTES_PER_ITEM)',
    "globalThis.notePuts?.('end', items); changed(items.length * BYTES_PER_ITEM)",
  ],
]

const EDITS: Readonly<Record<UnattendedSabotage, readonly Edit[]>> = {
  'early-sync-state': [
    [
      '/memory/run-sync.ts',
      'end = (await takePage(run, page)) ?? (await turnPage(run, page, run.items > before))',
      'end = await turnPage(run, page, true); await save(run); end = (await takePage(run, page)) ?? end',
    ],
  ],
  'same-items-again': [
    ['/memory/take-page.ts', 'version !== undefined && stored?.version === toVersion(version)', 'false'],
  ],
  'trigger-dedup': [['/triggers/trigger-job.ts', "hash('sha256',", "hash('sha256', Math.random() +"]],
  'early-accept': [
    [
      '/http/pages/hooks.ts',
      'const received = await assistant.triggers.receive(userId, source.id, occurrence)',
      'setTimeout(() => assistant.triggers.receive(userId, source.id, occurrence), 20); const received = { isDuplicate: false }',
    ],
  ],
  'skipped-firings': [
    [
      '/schedules/schedule-handler.ts',
      'const state = step.fire ?',
      'await save(toState(step.after)); const state = step.fire ?',
    ],
  ],
  'unattended-writes': [['/turn/unattended.ts', "effect !== 'read' && isUnattended(origin)", 'false']],
}

/** The changes of the code for a round of work without a person. */
export function toChange(sabotage?: UnattendedSabotage): Change {
  const edits = [STRIKE, ...NOTES, ...(sabotage === undefined ? [] : EDITS[sabotage])]
  return (code, path) => {
    const own = edits.filter(([end]) => path.endsWith(end))
    if (own.length === 0) return undefined
    return own.reduce((text, [, from, to]) => {
      if (!text.includes(from)) throw new Error(`${path} does not have "${from}" any more.`)
      return text.replace(from, () => to)
    }, code)
  }
}
