import { useId, useMemo } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../../i18n/use-formatters.ts'
import { useT } from '../../../i18n/use-t.ts'
import { useNow } from '../../../timeline/use-now.ts'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { browserZone } from '../zone-time.tsx'

/** The time zone: typed, or found in the list of all. */
export function ZoneField({
  zone,
  error,
  onChange,
}: {
  readonly zone: string
  readonly error: string | undefined
  readonly onChange: (zone: string) => void
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const listId = useId()
  const now = useNow(true, 10_000)
  const zones = useMemo(() => [...new Set([browserZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])], [])
  return (
    <>
      <TextField
        label={t('schedules.form.zone')}
        {...(isZone(zone) && {
          hint: t('schedules.form.zoneHint', { time: format.inZone(now, zone.trim()) }),
        })}
        {...(error !== undefined && { error })}
        name="zone"
        dir="ltr"
        list={listId}
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
        value={zone}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {zones.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone.trim() }).format()
    return !/^[+-]/.test(zone.trim())
  } catch {
    return false
  }
}
