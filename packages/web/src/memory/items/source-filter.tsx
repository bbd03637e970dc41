import type { MemorySourceRow } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { Select } from '../../ui/controls/select.tsx'
import type { Source } from '../source.ts'
import { countOf, toAppCounts } from '../source.ts'

/** The apps that items are from, with their counts, as buttons; below them the accounts of the chosen one. */
export function SourceFilter({
  rows,
  source,
  onChange,
}: {
  readonly rows: readonly MemorySourceRow[]
  readonly source: Source
  readonly onChange: (source: Source) => void
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const apps = toAppCounts(rows)
  const accounts = apps.find(({ app }) => app === source.app)?.accounts ?? []
  return (
    <>
      <div className="memory-apps" role="group" aria-label={t('memory.items.apps')}>
        <button type="button" aria-pressed={source.app === undefined} onClick={() => onChange({})}>
          {t('memory.items.all')} <span className="ui-figures">{format.number(countOf(rows, {}))}</span>
        </button>
        {apps.map(({ app, count }) => (
          <button key={app} type="button" aria-pressed={source.app === app} onClick={() => onChange({ app })}>
            <bdi>{app}</bdi> <span className="ui-figures">{format.number(count)}</span>
          </button>
        ))}
      </div>
      {source.app !== undefined && accounts.length > 1 && (
        <div className="memory-account">
          <Select
            label={t('memory.items.account')}
            value={source.account ?? ''}
            onValueChange={(account) =>
              onChange({ ...(source.app !== undefined && { app: source.app }), ...(account && { account }) })
            }
            options={[
              { value: '', label: t('memory.items.allAccounts') },
              ...accounts.map(({ account, count }) => ({
                value: account,
                label: `\u2068${account}\u2069 (${format.number(count)})`,
              })),
            ]}
          />
        </div>
      )}
    </>
  )
}
