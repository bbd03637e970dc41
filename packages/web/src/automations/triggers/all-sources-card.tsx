import type { TriggerSettings } from '@capstan/protocol'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useSettings } from '../../settings/settings-context.tsx'
import { toPath } from '../../routing/route.ts'
import { Link } from '../../routing/router.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { Card } from '../../ui/surfaces/card.tsx'
import type { Change } from './use-sources.ts'

/** The switch for all sources, and the model that judges. */
export function AllSourcesCard({
  settings,
  onChange,
}: {
  readonly settings: TriggerSettings
  readonly onChange: (patch: Partial<TriggerSettings>) => ReturnType<Change>
}): ReactElement {
  const t = useT()
  const [draft, setDraft] = useState<string>()
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly problem?: string }>({
    isBusy: false,
  })

  async function save(patch: Partial<TriggerSettings>): Promise<void> {
    setState({ isBusy: true })
    const problem = await onChange(patch)
    if (problem === undefined) setDraft(undefined)
    setState({ isBusy: false, ...(problem !== undefined && { problem }) })
  }

  return (
    <Card title={t('triggers.all.title')}>
      <Switch
        label={t('triggers.all.receive')}
        hint={t('triggers.all.receiveHint')}
        checked={!settings.isOff}
        onCheckedChange={(isOn) => void save({ isOff: !isOn })}
      />
      {settings.model === '' && <DemoNote />}
      <form
        className="triggers-model"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void save({ model: (draft ?? settings.model).trim() })
        }}
      >
        <TextField
          label={t('triggers.all.model')}
          hint={t('triggers.all.modelHint')}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={draft ?? settings.model}
          error={state.problem}
          onChange={(event) => setDraft(event.target.value)}
        />
        <Button
          type="submit"
          busy={state.isBusy}
          disabled={draft === undefined || draft.trim() === settings.model}
        >
          {t('triggers.all.save')}
        </Button>
      </form>
    </Card>
  )
}

/** Says that nothing can be judged yet. */
function DemoNote(): ReactElement | null {
  const t = useT()
  const { settings } = useSettings()
  if (!settings?.modelInUse.isDemo) return null
  return (
    <p className="triggers-note">
      {t('triggers.noModel')} <Link to={toPath({ page: 'settings' })}>{t('triggers.openSettings')}</Link>
    </p>
  )
}
