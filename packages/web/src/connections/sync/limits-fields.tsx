import { SYNC_BOUNDS } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { TextField } from '../../ui/controls/text-field.tsx'
import type { LimitsDraft } from './limits-draft.ts'
import { LIMITS, readLimit } from './limits-draft.ts'

/** The limits of a sync. A number that cannot be used says what can. */
export function LimitsFields({
  draft,
  onChange,
}: {
  readonly draft: LimitsDraft
  readonly onChange: (draft: LimitsDraft) => void
}): ReactElement {
  const t = useT()
  return (
    <div className="sync-limits">
      {LIMITS.map((limit) => (
        <TextField
          key={limit}
          label={t(`sync.limits.${limit}`)}
          error={
            readLimit(draft, limit) === undefined ? t('sync.limits.range', SYNC_BOUNDS[limit]) : undefined
          }
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          value={draft[limit]}
          onChange={(event) => onChange({ ...draft, [limit]: event.target.value })}
        />
      ))}
    </div>
  )
}
