import type { ExplainLine } from '@capstan/protocol'
import type { CSSProperties, ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { ToneIcon } from './run-status.tsx'
import { toSections } from './to-sections.ts'
import { useExplainWords } from './use-explain-words.ts'
import type { Tone } from './waterfall/waterfall.ts'

const TONES: { readonly [Kind in NonNullable<ExplainLine['kind']>]?: Tone } = {
  ok: 'ok',
  failed: 'failed',
  stopped: 'held',
  unknown: 'unknown',
  waiting: 'waiting',
  running: 'running',
}

/** The report of a run, in the active language. Lines of an older server have English words only. */
export function ExplainText({ lines }: { readonly lines: readonly ExplainLine[] }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const words = useExplainWords()
  if (lines.length === 0) return <p className="runs-soft">{t('runs.explain.empty')}</p>
  const textOf = ({ parts, text }: ExplainLine): string =>
    parts ? parts.map(words).filter(Boolean).join(' · ') : text
  return (
    <div className="runs-explain">
      {toSections(lines).map(({ heading, lines: own }, section) => (
        <div key={section}>
          {heading && <h3>{textOf(heading)}</h3>}
          <ul role="list">
            {own
              .filter(({ parts }) => parts?.length !== 0)
              .map((line, at) => {
                const { kind, depth, time, durationMs } = line
                const tone = kind && TONES[kind]
                const took = durationMs === undefined ? time : format.duration(durationMs)
                return (
                  <li key={at} data-kind={kind} style={{ '--level': depth } as CSSProperties}>
                    {tone && <ToneIcon tone={tone} />}
                    <span dir="auto">{textOf(line)}</span>
                    {took !== undefined && <span className="runs-soft ui-figures">{took}</span>}
                  </li>
                )
              })}
          </ul>
        </div>
      ))}
    </div>
  )
}
