import type { ExplainLine } from '@capstan/protocol'
import type { CSSProperties, ReactElement } from 'react'
import { useLanguage } from '../i18n/use-language.ts'
import { useT } from '../i18n/use-t.ts'
import { ToneIcon } from './run-status.tsx'
import { toSections } from './to-sections.ts'
import type { Tone } from './waterfall/waterfall.ts'

const TONES: { readonly [Kind in NonNullable<ExplainLine['kind']>]?: Tone } = {
  ok: 'ok',
  failed: 'failed',
  stopped: 'held',
  unknown: 'unknown',
  waiting: 'waiting',
  running: 'running',
}

/** The report of a run. It is always in English. */
export function ExplainText({ lines }: { readonly lines: readonly ExplainLine[] }): ReactElement {
  const t = useT()
  const { language } = useLanguage()
  if (lines.length === 0) return <p className="runs-soft">{t('runs.explain.empty')}</p>
  return (
    <>
      {language !== 'en' && <p className="runs-soft">{t('runs.explain.language')}</p>}
      <div className="runs-explain" lang="en" dir="ltr">
        {toSections(lines).map(({ heading, lines: own }, section) => (
          <div key={section}>
            {heading !== undefined && <h3>{heading}</h3>}
            <ul role="list">
              {own.map(({ kind, depth, text, time }, at) => {
                const tone = kind && TONES[kind]
                return (
                  <li key={at} data-kind={kind} style={{ '--level': depth } as CSSProperties}>
                    {tone && <ToneIcon tone={tone} />}
                    <span dir="auto">{text}</span>
                    {time !== undefined && <span className="runs-soft ui-figures">{time}</span>}
                  </li>
                )
              })}
            </ul>
          </div>
        ))}
      </div>
    </>
  )
}
