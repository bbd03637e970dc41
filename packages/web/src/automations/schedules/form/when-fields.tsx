import type { ReactElement } from 'react'
import { useFormatters } from '../../../i18n/use-formatters.ts'
import { useT } from '../../../i18n/use-t.ts'
import { Select } from '../../../ui/controls/select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { usePaceWords } from '../timing/use-when-words.ts'
import { MONDAY_FIRST } from '../timing/when-pattern.ts'
import type { ScheduleDraft } from './schedule-draft.ts'
import { PACES, WAYS } from './schedule-draft.ts'
import type { FieldErrors } from './use-schedule-form.ts'

export interface FieldsProps {
  readonly draft: ScheduleDraft
  readonly errors: FieldErrors
  readonly onChange: (part: Partial<ScheduleDraft>) => void
}

/** When it runs: a common choice with its details, or words. */
export function WhenFields(props: FieldsProps): ReactElement {
  const t = useT()
  const { draft, errors, onChange } = props
  const { way } = draft
  return (
    <div className="schedules-fields">
      <Select
        label={t('schedules.form.how')}
        error={errors.way}
        value={way}
        onValueChange={(chosen) => onChange({ way: chosen })}
        options={WAYS.map((value) => ({ value, label: t(`schedules.form.ways.${value}`) }))}
      />
      {way === 'hourly' && <PaceField {...props} />}
      {way === 'monthly' && <MonthDayField {...props} />}
      {way === 'words' ? (
        <TextField
          label={t('schedules.form.words')}
          hint={t('schedules.form.wordsHint')}
          error={errors.words}
          name="words"
          dir="auto"
          autoComplete="off"
          maxLength={200}
          value={draft.words}
          onChange={(event) => onChange({ words: event.target.value })}
        />
      ) : (
        way !== 'hourly' && (
          <TextField
            label={t('schedules.form.time')}
            error={errors.time}
            name="time"
            type="time"
            value={draft.time}
            onChange={(event) => onChange({ time: event.target.value })}
          />
        )
      )}
      {way === 'weekly' && <DayBoxes {...props} />}
    </div>
  )
}

function PaceField({ draft, onChange }: FieldsProps): ReactElement {
  const t = useT()
  const toWords = usePaceWords()
  return (
    <Select
      label={t('schedules.form.pace')}
      value={String(draft.pace)}
      onValueChange={(pace) => onChange({ pace: Number(pace) })}
      options={PACES.map((pace) => ({ value: String(pace), label: toWords(pace) }))}
    />
  )
}

const MONTH_DAYS = Array.from({ length: 31 }, (_, index) => String(index + 1))
/** Every month has this day. */
const LAST_SURE_DAY = 28

function MonthDayField({ draft: { monthDay }, onChange }: FieldsProps): ReactElement {
  const t = useT()
  const format = useFormatters()
  return (
    <Select
      label={t('schedules.form.monthDay')}
      {...(Number(monthDay) > LAST_SURE_DAY && { hint: t('schedules.form.skips') })}
      value={monthDay}
      onValueChange={(day) => onChange({ monthDay: day })}
      options={[
        ...MONTH_DAYS.map((value) => ({ value, label: format.number(Number(value)) })),
        { value: 'last', label: t('schedules.form.lastDay') },
      ]}
    />
  )
}

function DayBoxes({ draft: { days }, errors, onChange }: FieldsProps): ReactElement {
  const t = useT()
  const format = useFormatters()
  return (
    <fieldset className="schedules-days">
      <legend>{t('schedules.form.days')}</legend>
      {MONDAY_FIRST.map((day) => (
        <label key={day}>
          <input
            type="checkbox"
            name="days"
            checked={days.includes(day)}
            onChange={({ target: { checked } }) =>
              onChange({ days: checked ? [...days, day] : days.filter((one) => one !== day) })
            }
          />
          {format.weekday(day)}
        </label>
      ))}
      {errors.days !== undefined && (
        <p className="schedules-problem" role="alert">
          {errors.days}
        </p>
      )}
    </fieldset>
  )
}
