import type { Settings } from '@capstan/protocol'
import { useId, useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { toLines, toText } from '../connections/profile/profile-draft.ts'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextArea } from '../ui/controls/text-area.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { useSave } from './use-save.ts'

const MODES = ['off', 'ask', 'on'] as const

/** Whether commands run on this machine, and which hosts they may reach. */
export function ShellSection({ settings }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  const name = useId()
  const { isSaving, error, save } = useSave()
  return (
    <Card title={t('settings.shell.title')} description={t('settings.shell.description')}>
      <fieldset className="settings-modes" disabled={isSaving}>
        <legend className="ui-visually-hidden">{t('settings.shell.title')}</legend>
        {MODES.map((mode) => (
          <label key={mode} className="settings-mode">
            <input
              type="radio"
              name={name}
              value={mode}
              checked={settings.shell === mode}
              aria-describedby={`${name}-${mode}`}
              onChange={() => void save({ shell: mode })}
            />
            <span>
              <span className="settings-mode-name">{t(`settings.shell.modes.${mode}.name`)}</span>
              <span id={`${name}-${mode}`} className="settings-small">
                {t(`settings.shell.modes.${mode}.about`)}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {error !== undefined && (
        <p className="settings-failed" role="alert">
          {error}
        </p>
      )}
      {settings.shell !== 'off' && (
        <>
          {settings.roots.length === 0 && <p className="settings-small">{t('settings.shell.noFolder')}</p>}
          <ConfinementState />
          <Hosts hosts={settings.shellHosts} />
        </>
      )}
    </Card>
  )
}

function Hosts({ hosts }: { readonly hosts: readonly string[] }): ReactElement {
  const t = useT()
  const { isSaving, error, save } = useSave()
  const [text, setText] = useState(toText(hosts))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void save({ shellHosts: toLines(text) })
  }
  return (
    <form className="settings-line" onSubmit={submit}>
      <TextArea
        label={t('settings.shell.hosts')}
        hint={t('settings.shell.hostsHint')}
        error={error}
        rows={2}
        dir="ltr"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="settings-actions">
        <Button type="submit" busy={isSaving} disabled={toText(toLines(text)) === toText(hosts)}>
          {t('settings.shell.saveHosts')}
        </Button>
      </div>
    </form>
  )
}

/** Says when commands are not confined on this machine, or cannot run. */
function ConfinementState(): ReactElement | null {
  const t = useT()
  const api = useApi()
  const { data } = useLoaded('sandbox', (signal) => api.sandbox({ signal }))
  if (!data || data.state === 'works') return null
  return (
    <p className="settings-failed" role="note">
      {data.state === 'off' ? t('settings.shell.unconfined') : t('settings.shell.unavailable')}{' '}
      <span dir="auto" lang="en">
        {[data.found, data.next].filter(Boolean).join(' ')}
      </span>
    </p>
  )
}
