import type { Settings } from '@capstan/protocol'
import { Globe, Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { useSave } from './use-save.ts'

/** The hosts that may be read although the data-flow rule would ask. */
export function HostsSection({ settings: { hosts } }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  const { isSaving, error, save } = useSave()
  const [host, setHost] = useState('')

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const added = host.trim()
    if (added === '') return
    if (hosts.includes(added) || (await save({ hosts: [...hosts, added] }))) setHost('')
  }

  return (
    <Card title={t('settings.hosts.title')} description={t('settings.hosts.description')}>
      {hosts.length === 0 ? (
        <p className="settings-empty">{t('settings.hosts.empty')}</p>
      ) : (
        <ul role="list" className="settings-rows">
          {hosts.map((listed) => (
            <li key={listed} className="settings-row">
              <Globe size={16} aria-hidden="true" />
              <span className="settings-row-name">
                <code>{listed}</code>
              </span>
              <IconButton
                label={t('settings.hosts.remove', { host: listed })}
                size="sm"
                disabled={isSaving}
                onClick={() =>
                  void save(
                    { hosts: hosts.filter((other) => other !== listed) },
                    t('settings.hosts.removed', { host: listed }),
                  )
                }
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form className="settings-line" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('settings.hosts.field')}
          placeholder={t('settings.hosts.placeholder')}
          error={error}
          value={host}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setHost(event.target.value)}
        />
        <div className="settings-actions">
          <Button
            type="submit"
            icon={<Plus aria-hidden="true" />}
            busy={isSaving}
            disabled={host.trim() === ''}
          >
            {t('settings.hosts.add')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
