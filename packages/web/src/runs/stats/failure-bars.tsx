import type { Stats } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'

/** Failures by class, most frequent first: a table with decorative bars. */
export function FailureBars({ failures }: { readonly failures: Stats['failures'] }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const sorted = failures.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)
  const most = sorted[0]?.count ?? 1
  return (
    <div className="runs-figure runs-failures">
      <h3 id="runs-failures">{t('runs.stats.failures')}</h3>
      {sorted.length === 0 ? (
        <p className="runs-soft">{t('runs.stats.noFailures')}</p>
      ) : (
        <table className="runs-failure-table" aria-labelledby="runs-failures">
          <thead className="ui-visually-hidden">
            <tr>
              <th scope="col">{t('runs.columns.failure')}</th>
              <th scope="col">{t('runs.columns.count')}</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ class: name, count }) => (
              <tr key={name}>
                <th scope="row">{t(`failures.classes.${name}.name`)}</th>
                <td>
                  <svg height="14" aria-hidden="true">
                    <rect
                      className="runs-bar"
                      data-tone="failed"
                      rx="2"
                      height="14"
                      width={`${(count / most) * 100}%`}
                    />
                    <rect
                      className="runs-bar-pattern"
                      rx="2"
                      height="14"
                      width={`${(count / most) * 100}%`}
                      fill="url(#runs-hatch)"
                    />
                  </svg>
                  <span className="ui-figures">{format.number(count)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
