import { MISFIRE_RULES } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../../../i18n/use-t.ts'
import { useApi } from '../../../socket/server-context.tsx'
import { useLoaded } from '../../../socket/use-loaded.ts'
import { Select } from '../../../ui/controls/select.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { Disclosure } from '../../../ui/surfaces/disclosure.tsx'
import { LIMITS } from './schedule-draft.ts'
import type { FieldsProps } from './when-fields.tsx'

/** What has a good default: the thread, the rule for missed times, and the limits of a run. */
export function MoreFields(props: FieldsProps): ReactElement {
  const t = useT()
  const { draft, errors, onChange } = props
  const isWrong = errors.usd !== undefined || errors.minutes !== undefined
  return (
    // A field that is wrong must be seen.
    <Disclosure key={String(isWrong)} summary={t('schedules.form.more')} defaultOpen={isWrong}>
      <div className="schedules-fields">
        <ThreadField {...props} />
        <Select
          label={t('schedules.form.misfire')}
          value={draft.misfire}
          onValueChange={(misfire) => onChange({ misfire })}
          options={MISFIRE_RULES.map((value) => ({ value, label: t(`schedules.form.misfires.${value}`) }))}
        />
        {(['usd', 'minutes'] as const).map((name) => (
          <TextField
            key={name}
            label={t(`schedules.form.${name}`)}
            error={errors[name]}
            name={name}
            type="number"
            inputMode={name === 'usd' ? 'decimal' : 'numeric'}
            min={LIMITS[name].least}
            max={LIMITS[name].most}
            step={name === 'usd' ? 'any' : 1}
            value={draft[name]}
            onChange={(event) => onChange({ [name]: event.target.value })}
          />
        ))}
        <p className="schedules-soft">{t('schedules.form.limitsHint')}</p>
      </div>
    </Disclosure>
  )
}

function ThreadField({ draft: { threadId }, onChange }: FieldsProps): ReactElement {
  const t = useT()
  const api = useApi()
  const { data } = useLoaded('threads for a schedule', (signal) => api.threads({ signal }))
  const threads = data?.threads ?? []
  const isListed = threadId === '' || threads.some(({ id }) => id === threadId)
  return (
    <Select
      label={t('schedules.form.thread')}
      value={threadId}
      onValueChange={(chosen) => onChange({ threadId: chosen })}
      options={[
        { value: '', label: t('schedules.form.ownThread') },
        ...(isListed ? [] : [{ value: threadId, label: threadId }]),
        ...threads.map(({ id, title }) => ({ value: id as string, label: title === '' ? id : title })),
      ]}
    />
  )
}
