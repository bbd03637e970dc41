import { clipText } from './clip-text.ts'
import type { Compactor } from './compactor.ts'
import { spaceFor } from './compactor.ts'
import { hasTimestamp } from './log-lines.ts'

const SAMPLE_CHARS = 8_192
const SAMPLE_LINES = 40
const MAX_ITEM = 300
// Messages of a compiler or linter are not search hits: each of them may matter.
const DIAGNOSTIC = /^\d+:(?:\d+:)?\s*(?:fatal |internal )?(?:error|warning|note)\b/i
const HIT = /^((?:[a-z]:)?[^:\s][^:\n]{0,300}):(\d+:.*)$/i
const PATH = /^((?:[a-z]:|\.{1,2})?[^\s:]{0,300}[/\\])([^\s/\\:]+[/\\]?)$/i

interface Entry {
  /** The file of a hit, the folder of a file; undefined for a line that is neither. */
  readonly group: string | undefined
  readonly item: string
  readonly line: string
}

interface Group {
  readonly name: string | undefined
  readonly entries: readonly Entry[]
}

/** Hits of a search, and lists of files: each file, or folder, is named once above its own. */
export const listCompactor: Compactor = {
  recognises: isList,
  tidy(text) {
    const groups = toGroups(text)
    // An indented line of its own would be read as part of the group above it.
    const isClear = groups.every(({ name, entries }) => name !== undefined || !entries.some(isIndented))
    return isClear ? groups.flatMap(writeGroup).join('\n') : text
  },
  shorten(text, facts) {
    const space = spaceFor(facts)
    const perGroup = facts.ok ? 8 : 24
    const shown: string[] = []
    const left = { entries: 0, groups: 0 }
    let length = 0
    for (const { name, entries } of toGroups(text)) {
      const whole = writeGroup({ name, entries: entries.slice(0, perGroup) }).map((line) =>
        clipText(line, MAX_ITEM),
      )
      if (entries.length > perGroup) whole.push(`  [… ${entries.length - perGroup} more]`)
      // When only one fits, the place matters more than the text.
      const lines =
        length < space * 0.75 ? whole : [`${clipText(name ?? 'other lines', MAX_ITEM)} [${entries.length}]`]
      const added = lines.reduce((sum, line) => sum + line.length + 1, 0)
      if (length + added > space) {
        left.entries += entries.length
        left.groups++
        continue
      }
      length += added
      shown.push(...lines)
    }
    if (left.entries > 0) shown.push(`[… ${left.entries} more lines in ${left.groups} groups left out]`)
    return shown.join('\n')
  },
}

function isList(text: string): boolean {
  const sample = text
    .slice(0, SAMPLE_CHARS)
    .split('\n', SAMPLE_LINES)
    .filter((line) => line !== '')
  if (sample.length < 6) return false
  const entries = sample.map(toEntry)
  if (entries.some(({ item }) => DIAGNOSTIC.test(item))) return false
  return entries.filter(({ group }) => group !== undefined).length >= sample.length * 0.8
}

function toEntry(line: string): Entry {
  const [, group, item] = HIT.exec(line) ?? PATH.exec(line) ?? []
  if (group === undefined || item === undefined || !isPath(group) || hasTimestamp(line.slice(0, 32)))
    return { group: undefined, item: line, line }
  return { group, item, line }
}

const isIndented = ({ line }: Entry): boolean => line.startsWith('  ')

const isPath = (text: string): boolean => /[/\\]|\.[a-z]\w{0,9}$/i.test(text)

function toGroups(text: string): readonly Group[] {
  const groups: { readonly name: string | undefined; readonly entries: Entry[] }[] = []
  for (const line of text.split('\n')) {
    const entry = toEntry(line)
    const last = groups.at(-1)
    if (last && last.name === entry.group) last.entries.push(entry)
    else groups.push({ name: entry.group, entries: [entry] })
  }
  return groups
}

function writeGroup({ name, entries }: Group): readonly string[] {
  if (name === undefined || entries.length === 1) return entries.map(({ line }) => line)
  return [name, ...entries.map(({ item }) => `  ${item}`)]
}
