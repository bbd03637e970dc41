import { KeyRound, X } from 'lucide-react'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import type { ShownProblem } from '../socket/use-field-problem.ts'
import { useFieldProblem } from '../socket/use-field-problem.ts'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/controls/button.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { useToast } from '../ui/overlays/toast.tsx'
import { Card } from '../ui/surfaces/card.tsx'

const EMPTY = { name: '', value: '', hosts: '' }

/** Secrets by name: calls to the named hosts may send them, and the model never sees them. */
export function SecretsSection(): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const reason = useReason()
  const toProblem = useFieldProblem()
  const { data, error, reload } = useLoaded('secrets', (signal) => api.secrets({ signal }))
  useServerEvent('settings-change', reload)
  const [draft, setDraft] = useState(EMPTY)
  const [problem, setProblem] = useState<ShownProblem>()
  const [isSaving, setSaving] = useState(false)
  const isComplete = Object.values(draft).every((text) => text.trim() !== '')

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!isComplete) return
    setSaving(true)
    const name = draft.name.trim()
    try {
      const hosts = draft.hosts.split(/[\s,]+/).filter((host) => host !== '')
      await api.putSecret(name, { value: draft.value.trim(), hosts })
      setDraft(EMPTY)
      setProblem(undefined)
      toast({ text: t('settings.secrets.saved', { name }) })
      reload()
    } catch (refusal) {
      setProblem(toProblem(refusal))
    }
    setSaving(false)
  }

  async function remove(name: string): Promise<void> {
    try {
      await api.removeSecret(name)
      toast({ text: t('settings.secrets.removed', { name }) })
      reload()
    } catch (refusal) {
      toast({ text: reason(refusal), tone: 'fail' })
    }
  }

  const field = (key: keyof typeof EMPTY) => ({
    label: t(`settings.secrets.${key}`),
    value: draft[key],
    dir: 'ltr' as const,
    autoComplete: 'off',
    spellCheck: false,
    // What belongs to none of the fields is shown at the last one.
    error: (problem?.field ?? 'hosts') === key ? problem?.text : undefined,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setDraft({ ...draft, [key]: event.target.value }),
  })

  return (
    <Card title={t('settings.secrets.title')} description={t('settings.secrets.description')}>
      {data === undefined && !error && <Skeleton lines={1} />}
      {error && (
        <p className="settings-failed" role="alert">
          {reason(error)}
        </p>
      )}
      {data?.secrets.length === 0 && <p className="settings-empty">{t('settings.secrets.empty')}</p>}
      {data !== undefined && data.secrets.length > 0 && (
        <ul role="list" className="settings-rows">
          {data.secrets.map(({ name, hosts }) => (
            <li key={name} className="settings-row">
              <KeyRound size={16} aria-hidden="true" />
              <span className="settings-row-name">
                <code>{`{{secret:${name}}}`}</code>{' '}
                <span className="settings-small" dir="ltr">
                  {hosts.join(', ')}
                </span>
              </span>
              <IconButton
                label={t('settings.secrets.remove', { name })}
                size="sm"
                onClick={() => void remove(name)}
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form className="settings-form" onSubmit={(event) => void submit(event)}>
        <TextField {...field('name')} placeholder="github" />
        <TextField {...field('value')} type="password" hint={t('settings.secrets.valueHint')} />
        <TextField {...field('hosts')} placeholder="api.github.com" hint={t('settings.secrets.hostsHint')} />
        <div className="settings-actions">
          <Button type="submit" busy={isSaving} disabled={!isComplete}>
            {t('settings.secrets.add')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
