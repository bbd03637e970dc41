import { clipText } from './clip-text.ts'
import type { Compactor } from './compactor.ts'

const CONTEXT = 1
const MAX_LINE = 500
const SAMPLE_CHARS = 8_192
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/
const BLOBS = /^index [\da-f]{4,64}\.\.[\da-f]{4,64}/
const STARTS = /^(?:diff --git .|--- [^\n]+\n\+\+\+ [^\n]+\n@@ -\d)/m
// Written by tools and read by none: how many lines changed is all there is to know.
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|[Cc]argo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|go\.sum|flake\.lock)$|\.min\.(?:js|css)$|\.(?:map|snap)$|(?:^|\/)(?:dist|vendor|node_modules)\/|\.(?:generated|pb)\.\w+$/

// Every changed line is wanted, as long as the headers of the last file are not cut off for it.
const MAX_DIFF_CHARS = 12_000
const CHANGES_PER_HUNK: readonly number[] = [Infinity, 40, 12]

/** A unified diff: the changes stay, with less around them; lock files and generated ones are counted. */
export const diffCompactor: Compactor = {
  recognises: (text) => STARTS.test(text.slice(0, SAMPLE_CHARS)),
  tidy: (text) => text,
  shorten(text) {
    const lines = text.split('\n')
    let shown = text
    for (const maxLines of CHANGES_PER_HUNK) {
      shown = trimDiff(lines, maxLines)
      if (shown.length <= MAX_DIFF_CHARS) break
    }
    return shown
  },
}

function trimDiff(lines: readonly string[], maxLines: number): string {
  const shown: string[] = []
  let generated: Changes | undefined
  const closeFile = () => {
    if (generated) shown.push(`[generated: ${generated.added} lines added, ${generated.removed} removed]`)
    generated = undefined
  }
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const hunk = HUNK.exec(line)
    if (hunk) {
      const end = endOfHunk(lines, at + 1, sizeOf(hunk[1]), sizeOf(hunk[2]))
      const body = lines.slice(at + 1, end)
      if (generated) generated = addChanges(generated, body)
      else shown.push([line, ...cutHunk(trimContext(body), maxLines)].join('\n'))
      at = end
      continue
    }
    // Without git's own header a file begins here.
    const isPlainHeader = line.startsWith('--- ') && generated !== undefined && hasChanges(generated)
    if (line.startsWith('diff --git ') || isPlainHeader) closeFile()
    if (GENERATED.test(pathOf(line) ?? '')) generated ??= { added: 0, removed: 0 }
    // Blob ids are of no use to a reader.
    if (!BLOBS.test(line)) shown.push(line)
    at++
  }
  closeFile()
  return shown.join('\n')
}

interface Changes {
  readonly added: number
  readonly removed: number
}

const hasChanges = ({ added, removed }: Changes): boolean => added + removed > 0

const sizeOf = (written: string | undefined): number => (written === undefined ? 1 : Number(written))

// By its count of lines, because a removed line may look like a header.
function endOfHunk(lines: readonly string[], from: number, removed: number, added: number): number {
  let at = from
  let [old, fresh] = [removed, added]
  while (at < lines.length && (old > 0 || fresh > 0 || lines[at]?.startsWith('\\'))) {
    const mark = lines[at]?.charAt(0) ?? ''
    if (mark === '-') old--
    else if (mark === '+') fresh--
    else if (mark === ' ' || mark === '') {
      old--
      fresh--
    } else if (mark !== '\\') break
    at++
  }
  return at
}

function pathOf(line: string): string | undefined {
  return /^diff --git .* "?b\/(.+?)"?$/.exec(line)?.[1] ?? /^\+\+\+ "?(?:b\/)?([^\t"]+)/.exec(line)?.[1]
}

const isChange = (line: string): boolean => /^[-+\\]/.test(line)

function trimContext(body: readonly string[]): readonly string[] {
  const isNear = new Uint8Array(body.length)
  for (const [index, line] of body.entries()) {
    if (isChange(line)) isNear.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1)
  }
  const shown: string[] = []
  for (const [index, line] of body.entries()) {
    if (isNear[index] === 1) shown.push(clipText(line, MAX_LINE))
    else if (isNear[index - 1] === 1 && isNear.indexOf(1, index) > 0) shown.push(' …')
  }
  return shown
}

function cutHunk(body: readonly string[], maxLines: number): readonly string[] {
  if (body.length <= maxLines) return body
  return [...body.slice(0, maxLines), `[… ${body.length - maxLines} more lines of this hunk]`]
}

function addChanges({ added, removed }: Changes, body: readonly string[]): Changes {
  return {
    added: added + body.filter((line) => line.startsWith('+')).length,
    removed: removed + body.filter((line) => line.startsWith('-')).length,
  }
}
