import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { Kbd } from '../ui/keyboard/kbd.tsx'
import { useShortcutList } from '../ui/keyboard/shortcuts.tsx'

export interface HelpSheetProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** The list of keyboard shortcuts of this page. */
export function HelpSheet({ open, onClose }: HelpSheetProps): ReactElement {
  const t = useT()
  const shortcuts = useShortcutList()
  const rows = [
    ...new Map(shortcuts.map((shortcut) => [`${shortcut.keys} ${shortcut.label}`, shortcut])).entries(),
  ]
  return (
    <Dialog open={open} onClose={onClose} title={t('shell.shortcuts.title')}>
      <dl className="shell-keys-list">
        {rows.map(([key, { keys, label }]) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              {keys.split(' ').map((part, at) => (
                <span key={part}>
                  {at > 0 && <span className="shell-then"> {t('shell.shortcuts.followedBy')} </span>}
                  <Kbd keys={part} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
