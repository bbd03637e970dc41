import type { Settings } from '@capstan/protocol'
import { Folder, FolderPlus, X } from 'lucide-react'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { useSave } from './use-save.ts'

export function RootsSection({ settings }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  const { isSaving, error, save } = useSave()
  const [folder, setFolder] = useState('')
  const { roots } = settings

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const added = folder.trim()
    if (added === '') return
    if (roots.includes(added) || (await save({ roots: [...roots, added] }))) setFolder('')
  }

  return (
    <Card title={t('settings.roots.title')} description={t('settings.roots.description')}>
      {roots.length === 0 ? (
        <p className="settings-empty">{t('settings.roots.empty')}</p>
      ) : (
        <ul role="list" className="settings-rows">
          {roots.map((root) => (
            <li key={root} className="settings-row">
              <Folder size={16} aria-hidden="true" />
              <span className="settings-row-name">
                <code>{root}</code>
              </span>
              <IconButton
                label={t('settings.roots.remove', { folder: root })}
                size="sm"
                disabled={isSaving}
                onClick={() =>
                  void save(
                    { roots: roots.filter((other) => other !== root) },
                    t('settings.roots.removed', { folder: root }),
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
          label={t('settings.roots.field')}
          placeholder={t('settings.roots.placeholder')}
          error={error}
          value={folder}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setFolder(event.target.value)}
        />
        <div className="settings-actions">
          <Button
            type="submit"
            icon={<FolderPlus aria-hidden="true" />}
            busy={isSaving}
            disabled={folder.trim() === ''}
          >
            {t('settings.roots.add')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
