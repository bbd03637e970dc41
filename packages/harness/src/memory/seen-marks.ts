import { createHash } from 'node:crypto'

const MARK_CHARS = 6
/** Of more unchanged items, deletions are not noticed by reading the list. */
const MOST_MARKS = 20_000

const toMark = (id: string): string => createHash('sha256').update(id).digest('base64').slice(0, MARK_CHARS)

/** Adds marks of ids to a text of marks. Two ids with the same mark cost a deletion that is not noticed, nothing else. */
export function addMarks(marks: string, ids: readonly string[]): string {
  if (marks.length > MOST_MARKS * MARK_CHARS) return marks
  return marks + ids.map(toMark).join('')
}

/** Tells which ids are marked. Undefined when there were too many to mark. */
export function readMarks(marks: string): ((id: string) => boolean) | undefined {
  if (marks.length > MOST_MARKS * MARK_CHARS) return undefined
  const known = new Set<string>()
  for (let at = 0; at < marks.length; at += MARK_CHARS) known.add(marks.slice(at, at + MARK_CHARS))
  return (id) => known.has(toMark(id))
}
