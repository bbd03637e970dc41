import { TRIGGER_ACTIONS } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'
import { Select } from '../../ui/controls/select.tsx'
import type { ActivityFilter } from './use-activity.ts'

/** By source and by decision. */
export function ActivityFilters({
  filter,
  onChange,
}: {
  readonly filter: ActivityFilter
  readonly onChange: (filter: ActivityFilter) => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const sources = useLoaded('trigger sources', (signal) => api.triggerSources({ signal })).data?.sources ?? []
  return (
    <div className="activity-filters">
      <Select
        label={t('activity.filters.source')}
        value={filter.source}
        onValueChange={(source) => onChange({ ...filter, source })}
        options={[
          { value: '', label: t('activity.filters.allSources') },
          ...sources.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Select
        label={t('activity.filters.decision')}
        value={filter.action}
        onValueChange={(action) => onChange({ ...filter, action })}
        options={[
          { value: '' as const, label: t('activity.filters.allDecisions') },
          ...TRIGGER_ACTIONS.map((value) => ({ value, label: t(`activity.decisions.${value}`) })),
        ]}
      />
    </div>
  )
}
