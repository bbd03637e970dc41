import { HardDrive } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useSettings } from '../settings/settings-context.tsx'

/** Shows that the disk of the server is full, so that nothing can be saved. */
export function DiskBanner(): ReactElement {
  const t = useT()
  const { settings } = useSettings()
  return (
    <div role="status" className="shell-banner-place">
      {settings?.diskFull && (
        <div className="shell-banner" data-kind="disk-full">
          <HardDrive aria-hidden="true" />
          <p>
            <strong>{t('shell.disk.full')}</strong> {t('shell.disk.hint')}
          </p>
        </div>
      )}
    </div>
  )
}
