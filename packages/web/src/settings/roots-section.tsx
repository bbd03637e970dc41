import type { Settings } from '@capstan/protocol'
import { Folder, FolderPlus, X } from 'lucide-react'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useRights } from '../socket/me-context.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { Switch } from '../ui/controls/switch.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { useSave } from './use-save.ts'

export function RootsSection({ settings }: { readonly settings: Settings }): ReactElement {
  return useRights()?.changeFolders ? (
    <OwnFolders settings={settings} />
  ) : (
    <SharedFolders settings={settings} />
  )
}

/** What a member sees: the folders that the owner shares. */
function SharedFolders({ settings: { roots } }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  return (
    <Card
      title={t('settings.roots.title')}
      description={roots.length > 0 ? t('people.ofOwner.folders') : t('people.ofOwner.noFolders')}
    >
      <ul role="list" className="settings-rows">
        {roots.map((root) => (
          <li key={root} className="settings-row">
            <Folder size={16} aria-hidden="true" />
            <code className="settings-row-name">{root}</code>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function OwnFolders({ settings }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  const rights = useRights()
  const { isSaving, error, save } = useSave()
  const [folder, setFolder] = useState('')
  const { roots, sharedRoots } = settings

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
              {rights?.manageMembers && (
                <span className="settings-share">
                  <span className="settings-small" aria-hidden="true">
                    {t('people.share.server')}
                  </span>
                  <Switch
                    label={t('people.share.folder', { folder: root })}
                    hideLabel
                    checked={sharedRoots.includes(root)}
                    disabled={isSaving}
                    onCheckedChange={(isShared) =>
                      void save({
                        sharedRoots: isShared
                          ? [...sharedRoots, root]
                          : sharedRoots.filter((other) => other !== root),
                      })
                    }
                  />
                </span>
              )}
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
