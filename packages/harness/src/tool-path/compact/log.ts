import { clipText } from './clip-text.ts'
import { collapseRepeats } from './collapse-repeats.ts'
import type { Compactor, OutputFacts } from './compactor.ts'
import { spaceFor } from './compactor.ts'
import { hasLevel, hasTimestamp, isProgress, toLineKey } from './log-lines.ts'
import { pickLines } from './pick-lines.ts'
import { dropOverwritten } from './terminal-text.ts'

const SAMPLE_CHARS = 8_192
const SAMPLE_LINES = 40
const MAX_LINE = 1_000
const NAMED_FOR_LOGS = /(?:^|[_\-.])logs?(?:$|[_\-.])/i

/** What programs print line by line: repeats become counts, and what went wrong is the last thing to go. */
export const logCompactor: Compactor = {
  recognises: isLog,
  tidy(text) {
    const lines = text.split('\n')
    const collapsed = collapseRepeats(lines)
    return collapsed === lines ? text : collapsed.join('\n')
  },
  shorten(text, facts) {
    const written = text.split('\n')
    const lines = collapseRepeats(written.map(dropOverwritten), toLineKey, isProgress).map((line) =>
      clipText(line, MAX_LINE),
    )
    const length = lines.reduce((sum, line) => sum + line.length + 1, 0)
    return (length <= spaceFor(facts) ? lines : pickLines(lines, spaceFor(facts))).join('\n')
  },
}

// Times alone make no log of a calendar or of a chat.
function isLog(text: string, { tool }: OutputFacts): boolean {
  const sample = text
    .slice(0, SAMPLE_CHARS)
    .split('\n', SAMPLE_LINES)
    .filter((line) => line !== '')
  const enough = Math.max(3, sample.length * 0.4)
  if (sample.filter(hasTimestamp).length < enough) return false
  return NAMED_FOR_LOGS.test(tool) || sample.filter(hasLevel).length >= enough
}
