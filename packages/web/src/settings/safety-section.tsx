import type { Settings } from '@capstan/protocol'
import { useId, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useRights } from '../socket/me-context.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { useSave } from './use-save.ts'

const MODES = ['read-only', 'supervised', 'full'] as const

/** The safety mode. The widest mode asks for confirmation. */
export function SafetySection({ settings }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  const name = useId()
  const { isSaving, error, save } = useSave()
  const [isAsking, setAsking] = useState(false)
  const canUseFull = useRights()?.useFullMode ?? false

  return (
    <Card title={t('settings.safety.title')} description={t('settings.safety.description')}>
      <fieldset className="settings-modes" disabled={isSaving}>
        <legend className="ui-visually-hidden">{t('settings.safety.title')}</legend>
        {MODES.map((mode) => (
          <label key={mode} className="settings-mode">
            <input
              type="radio"
              name={name}
              value={mode}
              checked={settings.safetyMode === mode}
              disabled={mode === 'full' && !canUseFull}
              aria-describedby={`${name}-${mode}`}
              onChange={() => {
                if (mode === 'full') setAsking(true)
                else void save({ safetyMode: mode })
              }}
            />
            <span>
              <span className="settings-mode-name">
                {t(`settings.safety.modes.${mode}.name`)}
                {mode === 'supervised' && <Badge tone="accent">{t('settings.safety.recommended')}</Badge>}
              </span>
              <span id={`${name}-${mode}`} className="settings-small">
                {t(`settings.safety.modes.${mode}.about`)}
                {mode === 'full' && !canUseFull && ` ${t('people.ofOwner.fullMode')}`}
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
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('settings.safety.fullTitle')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t('ui.cancel')}</Button>
            <Button
              variant="danger"
              onClick={() => {
                setAsking(false)
                void save({ safetyMode: 'full' })
              }}
            >
              {t('settings.safety.fullConfirm')}
            </Button>
          </>
        }
      >
        <p>{t('settings.safety.fullText')}</p>
      </Dialog>
    </Card>
  )
}
