import type { Settings } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { LANGUAGES, LANGUAGE_CODES } from '../i18n/language.ts'
import { useT } from '../i18n/use-t.ts'
import { Card } from '../ui/surfaces/card.tsx'
import { Select } from '../ui/controls/select.tsx'
import { Switch } from '../ui/controls/switch.tsx'
import { useSave } from './use-save.ts'

export function LookSection({ settings }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  const { isSaving, error, save } = useSave()
  return (
    <Card title={t('settings.look.title')}>
      <div className="settings-columns">
        <Select
          label={t('settings.look.language')}
          value={settings.language}
          disabled={isSaving}
          options={[
            { value: '', label: t('settings.look.languageSystem') },
            ...LANGUAGE_CODES.map((code) => ({ value: code, label: LANGUAGES[code].name, lang: code })),
          ]}
          onValueChange={(language) => void save({ language })}
        />
        <Select
          label={t('settings.look.theme')}
          value={settings.theme}
          disabled={isSaving}
          options={(['system', 'light', 'dark'] as const).map((theme) => ({
            value: theme,
            label: t(`settings.look.themes.${theme}`),
          }))}
          onValueChange={(theme) => void save({ theme })}
        />
      </div>
      <Switch
        label={t('settings.look.motion')}
        hint={t('settings.look.motionHint')}
        checked={settings.reduceMotion}
        disabled={isSaving}
        onCheckedChange={(reduceMotion) => void save({ reduceMotion })}
      />
      {error !== undefined && (
        <p className="settings-failed" role="alert">
          {error}
        </p>
      )}
    </Card>
  )
}
