import type { Usage } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { PartBar } from './charts/part-bar.tsx'
import { toTokenParts } from './stats/day-bars.ts'

const TOKEN_ROWS = ['input', 'cached', 'output', 'reasoning'] as const

/** What a run used, as a bar and as figures. */
export function TokenTable({ usage }: { readonly usage: Usage }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const parts = toTokenParts(usage)
  const counts = {
    input: usage.inputTokens,
    cached: usage.cachedInputTokens,
    output: usage.outputTokens,
    reasoning: usage.reasoningTokens,
  }
  return (
    <div className="runs-tokens">
      <svg className="runs-tokens-bar" height="14" aria-hidden="true">
        {parts.map(({ part, bottomPercent, heightPercent }) => (
          <PartBar
            key={part}
            part={part}
            x={`${bottomPercent}%`}
            width={`${heightPercent}%`}
            y={0}
            height={heightPercent > 0 ? 14 : 0}
          />
        ))}
      </svg>
      <ul role="list" className="runs-legend" aria-hidden="true">
        {parts
          .filter(({ value }) => value > 0)
          .map(({ part }) => (
            <li key={part}>
              <svg width="14" height="14">
                <PartBar part={part} x="0" width="14" y={0} height={14} />
              </svg>
              {t(`runs.stats.parts.${part}`)}
            </li>
          ))}
      </ul>
      <table>
        <caption>{t('runs.tokens.title')}</caption>
        <tbody>
          {TOKEN_ROWS.filter((row) => row !== 'reasoning' || counts.reasoning > 0).map((row) => (
            <tr key={row} data-part={row === 'cached' || row === 'reasoning' || undefined}>
              <th scope="row">{t(`runs.tokens.${row}`)}</th>
              <td className="ui-figures">{format.number(counts[row])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="runs-soft">
        {t('runs.tokens.allBelow')}
        {usage.estimated && ` ${t('runs.tokens.estimated')}`}
      </p>
    </div>
  )
}
