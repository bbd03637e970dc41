import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MemoryItem, UserMemory } from '@capstan/harness/stores'
import { USER } from './user.ts'

type Put = Pick<MemoryItem, 'id' | 'version'>
type Line = { readonly type: 'begin' | 'end'; readonly puts: readonly Put[] }

const pathOf = (folder: string): string => join(folder, 'puts.jsonl')

function readLines(folder: string): readonly Line[] {
  const path = pathOf(folder)
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

/** Notes what is stored, before and after. The bundle calls it around each `put` of the store. */
export const createPutNotes =
  (folder: string) =>
  (type: Line['type'], items: readonly MemoryItem[]): void => {
    const puts = items.map(({ id, version }) => ({ id, version }))
    appendFileSync(pathOf(folder), `${JSON.stringify({ type, puts })}\n`)
  }

/** A kill came between the two notes: the store knows whether it was before or after. Called at every start. */
export async function settlePutNotes(folder: string, memory: UserMemory): Promise<void> {
  const last = readLines(folder).at(-1)
  if (last?.type !== 'begin') return
  const first = last.puts[0]
  const stored = first && (await memory.get(USER, first.id))
  const puts = stored?.version === first?.version ? last.puts : []
  appendFileSync(pathOf(folder), `${JSON.stringify({ type: 'end', puts })}\n`)
}

/** The items that were stored more than once in the same version. */
export function findRepeatedPuts(folder: string): readonly string[] {
  const seen = new Set<string>()
  const repeated: string[] = []
  for (const { type, puts } of readLines(folder)) {
    if (type !== 'end') continue
    for (const { id, version } of puts) {
      const name = `${id} in version ${version}`
      if (seen.has(name)) repeated.push(name)
      seen.add(name)
    }
  }
  return repeated
}
