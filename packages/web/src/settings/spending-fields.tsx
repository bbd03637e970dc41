import type { SpendingLimits } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { TextField } from '../ui/controls/text-field.tsx'

const FIELDS = ['usdPerDay', 'usdPerMonth', 'tokensPerDay', 'tokensPerMonth'] as const

/** The fields for what a user may spend. An empty one is no limit. */
export function SpendingFields({
  limits,
  isDayRequired = false,
}: {
  readonly limits: SpendingLimits
  /** A member always has a limit in money per day. */
  readonly isDayRequired?: boolean
}): ReactElement {
  const t = useT()
  return (
    <>
      {FIELDS.map((field) => (
        <TextField
          key={field}
          name={field}
          label={t(`people.spending.${field}`)}
          type="number"
          min={0}
          step={field.startsWith('usd') ? 'any' : 1}
          required={isDayRequired && field === 'usdPerDay'}
          placeholder={t('people.spending.empty')}
          defaultValue={limits[field]}
        />
      ))}
    </>
  )
}

/** What was entered in the fields. */
export function readSpending(form: FormData): SpendingLimits {
  const entered = FIELDS.map((field) => [field, form.get(field)] as const)
  return Object.fromEntries(
    entered.filter(([, text]) => text !== '').map(([field, text]) => [field, Number(text)]),
  )
}
