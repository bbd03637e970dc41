import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'
import { Select } from '../../ui/controls/select.tsx'
import type { SourceDraft } from './source-draft.ts'

interface SelectProps {
  readonly draft: SourceDraft
  readonly error: string | undefined
  readonly onChange: (part: Partial<SourceDraft>) => void
}

const MOST_THREADS = 50

/** Where turns start: in a new thread each time, or in one of the newest. */
export function ThreadSelect({ draft, error, onChange }: SelectProps): ReactElement {
  const t = useT()
  const api = useApi()
  const { data } = useLoaded('threads to choose', (signal) => api.threads({ limit: MOST_THREADS, signal }))
  const threads = (data?.threads ?? []).map(({ id, title }) => ({
    value: id as string,
    label: title === '' ? t('shell.threads.untitled') : title,
  }))
  const isListed = draft.threadId === '' || threads.some(({ value }) => value === draft.threadId)
  return (
    <Select
      label={t('triggers.form.thread')}
      error={error}
      value={draft.threadId}
      onValueChange={(threadId) => onChange({ threadId })}
      options={[
        { value: '', label: t('triggers.form.ownThread') },
        ...(isListed ? [] : [{ value: draft.threadId, label: draft.threadId }]),
        ...threads,
      ]}
    />
  )
}

/** The account whose new items count. */
export function AccountSelect({ draft, error, onChange }: SelectProps): ReactElement {
  const t = useT()
  const api = useApi()
  const { data } = useLoaded('accounts to choose', (signal) => api.toolkits({ signal }))
  const accounts = (data?.toolkits ?? []).flatMap(({ name, connections }) =>
    connections
      .filter(({ status }) => status === 'active')
      .map(({ id, label }) => ({ value: id, label: label ? `${name}: ${label}` : name })),
  )
  return (
    <Select
      label={t('triggers.form.account')}
      error={error}
      hint={data && accounts.length === 0 ? t('triggers.form.noAccount') : undefined}
      value={draft.connectionId}
      onValueChange={(connectionId) => onChange({ connectionId })}
      options={[{ value: '', label: '–' }, ...accounts]}
    />
  )
}
