import type { ExplainLine } from '@capstan/protocol'

export interface ExplainSection {
  /** Absent for lines before the first heading. */
  readonly heading?: ExplainLine
  readonly lines: readonly ExplainLine[]
}

/** The lines of a run report, split at its headings. */
export function toSections(lines: readonly ExplainLine[]): readonly ExplainSection[] {
  const sections: { heading?: ExplainLine; lines: ExplainLine[] }[] = []
  for (const line of lines) {
    if (line.kind === 'heading') sections.push({ heading: line, lines: [] })
    else {
      const last = sections.at(-1)
      if (last) last.lines.push(line)
      else sections.push({ lines: [line] })
    }
  }
  return sections
}
