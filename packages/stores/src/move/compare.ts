import type { Checksum } from './checksum.ts'
import { createSumming } from './checksum.ts'
import type { Contents } from './contents.ts'
import type { AddAll } from './kinds.ts'
import { kindsOf } from './kinds.ts'
import type { Source } from './source.ts'

/** One kind of thing, as it was read on both sides. */
export interface ComparedKind {
  readonly kind: string
  readonly source: Checksum
  /** Absent when nothing was copied. */
  readonly target?: Checksum
  readonly isEqual?: boolean
}

/** Reads everything on both sides and compares it. Without a target it only counts. */
export async function compareAll(
  source: Source,
  from: Contents,
  to: Contents | undefined,
  onCompared: (kind: ComparedKind) => void,
): Promise<readonly ComparedKind[]> {
  const kinds: ComparedKind[] = []
  for (const [kind, addAll] of Object.entries(kindsOf(source.head.page))) {
    if (kind === 'search' && !isIndexed(source)) continue
    const [ofSource, ofTarget] = await Promise.all([sumUp(addAll, from), to && sumUp(addAll, to)])
    const compared = {
      kind,
      source: ofSource,
      ...(ofTarget && { target: ofTarget, isEqual: isSame(ofSource, ofTarget) }),
    }
    kinds.push(compared)
    onCompared(compared)
  }
  return kinds
}

async function sumUp(addAll: AddAll, contents: Contents): Promise<Checksum> {
  const sum = createSumming()
  await addAll(contents, sum)
  return sum.end()
}

const isSame = (a: Checksum, b: Checksum): boolean => a.count === b.count && a.sha256 === b.sha256

/** A folder whose last process was killed may not have indexed its last messages: the new store finds more. */
function isIndexed({ connection }: Source): boolean {
  const sql = `SELECT 1 FROM journal WHERE thread <> 0 AND id > (SELECT page FROM progress WHERE name = 'indexed') LIMIT 1`
  return connection.db.prepare(sql).get() === undefined
}
