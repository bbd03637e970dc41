import type { ModelKeyState, Settings } from '@capstan/protocol'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { useSave } from './use-save.ts'

/** Names of companies are the same in every language. */
const PROVIDERS = { openai: 'OpenAI', anthropic: 'Anthropic', google: 'Google' } as const

export function ModelKeys({ settings }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  return (
    <section className="settings-keys">
      <h3>{t('settings.model.keys')}</h3>
      <p className="settings-small">{t('settings.model.keysHint')}</p>
      <ul role="list" className="settings-rows">
        {settings.modelKeys.map((key) => (
          <KeyRow key={key.provider} state={key} />
        ))}
      </ul>
    </section>
  )
}

function KeyRow({ state }: { readonly state: ModelKeyState }): ReactElement {
  const t = useT()
  const { isSaving, error, save } = useSave()
  const [isOpen, setOpen] = useState(false)
  const provider =
    state.provider === 'compatible' ? t('settings.model.compatible') : PROVIDERS[state.provider]

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const key = new FormData(event.currentTarget).get('key')
    if (typeof key !== 'string' || key.trim() === '') return
    const patch = { modelKeys: { [state.provider]: key.trim() } }
    if (await save(patch, t('settings.model.keySaved', { provider }))) setOpen(false)
  }

  return (
    <li>
      <div className="settings-row">
        <span className="settings-row-name">{provider}</span>
        <Badge tone={state.from === undefined ? 'neutral' : 'ok'}>
          {t(
            state.from === 'settings'
              ? 'settings.model.keySet'
              : state.from === 'environment'
                ? 'settings.model.keyEnvironment'
                : 'settings.model.keyMissing',
          )}
        </Badge>
        <span className="settings-row-actions">
          {!isOpen && (
            <Button size="sm" variant="quiet" onClick={() => setOpen(true)}>
              {t(state.from === 'settings' ? 'settings.model.keyReplace' : 'settings.model.keyAdd')}
            </Button>
          )}
          {state.from === 'settings' && (
            <Button
              size="sm"
              variant="danger"
              busy={isSaving}
              onClick={() =>
                void save(
                  { modelKeys: { [state.provider]: '' } },
                  t('settings.model.keyRemoved', { provider }),
                )
              }
            >
              {t('settings.model.keyRemove')}
            </Button>
          )}
        </span>
      </div>
      {isOpen && (
        <form className="settings-key-form" onSubmit={(event) => void submit(event)}>
          <TextField
            label={t('settings.model.key', { provider })}
            error={error}
            name="key"
            type="password"
            autoComplete="off"
            dir="ltr"
            required
            ref={(field) => field?.focus()}
          />
          <div className="settings-actions">
            <Button type="submit" variant="strong" size="sm" busy={isSaving}>
              {t('settings.model.keySave')}
            </Button>
            <Button size="sm" variant="quiet" onClick={() => setOpen(false)}>
              {t('ui.cancel')}
            </Button>
          </div>
        </form>
      )}
    </li>
  )
}
