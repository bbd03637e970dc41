import type { TriggerSource, TriggerSourceCalls } from '@capstan/protocol'
import { Ellipsis } from 'lucide-react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { useKindName } from './kind-name.ts'
import { isOfApp } from './source-draft.ts'

export type SourceAction = 'edit' | 'examples' | 'test' | 'newSecret' | 'remove'

interface SourceCardProps {
  readonly source: TriggerSource
  readonly calls: TriggerSourceCalls | undefined
  readonly areAllOff: boolean
  readonly onSwitch: (isOff: boolean) => void
  readonly onAct: (action: SourceAction) => void
}

/** One source: how it stands today, and what can be done with it. */
export function SourceCard({ source, calls, areAllOff, onSwitch, onAct }: SourceCardProps): ReactElement {
  const t = useT()
  const toKindName = useKindName()
  const { name, isOff, kind } = source
  const actions: readonly SourceAction[] = isOfApp(kind)
    ? ['edit', 'examples', 'test']
    : ['edit', 'examples', 'test', 'newSecret']
  return (
    <article className="triggers-card" aria-labelledby={source.id}>
      <header className="triggers-card-head">
        <div>
          <h3 id={source.id} dir="auto">
            {name}
          </h3>
          <p className="triggers-facts">
            {toKindName(kind)}
            {(isOff || areAllOff) && (
              <Badge tone="warn">{t(isOff ? 'triggers.source.isOff' : 'triggers.source.allOff')}</Badge>
            )}
          </p>
        </div>
        <Switch
          label={t('triggers.source.active', { name })}
          hideLabel
          checked={!isOff}
          onCheckedChange={(isOn) => onSwitch(!isOn)}
        />
        <Menu
          trigger={
            <IconButton label={t('triggers.source.more', { name })} size="sm">
              <Ellipsis aria-hidden="true" />
            </IconButton>
          }
          items={[
            ...actions.map((action) => ({
              label: t(`triggers.source.${action}`),
              onSelect: () => onAct(action),
            })),
            { label: t('triggers.source.remove'), danger: true, onSelect: () => onAct('remove') },
          ]}
        />
      </header>
      {source.rule === '' ? (
        <p className="triggers-soft">{t('triggers.source.noRule')}</p>
      ) : (
        <blockquote className="triggers-quote" dir="auto">
          {source.rule}
        </blockquote>
      )}
      <SourceFacts source={source} calls={calls} />
    </article>
  )
}

function SourceFacts({ source, calls }: Pick<SourceCardProps, 'source' | 'calls'>): ReactElement {
  const t = useT()
  const format = useFormatters()
  const { used, budget, quietHours } = source
  const money = { used: format.currency(used.usd), limit: format.currency(budget.usd) }
  const runs = { used: format.number(used.runs), limit: format.number(budget.runs) }
  return (
    <ul role="list" className="triggers-facts">
      <li>
        {calls
          ? t('triggers.source.lastCall', { time: format.relative(calls.lastAt) })
          : t('triggers.source.noCall')}
      </li>
      <li>{t('triggers.source.today', { number: format.number(calls?.decidedToday ?? 0) })}</li>
      <li>{t('triggers.source.money', money)}</li>
      <li>{t('triggers.source.runs', runs)}</li>
      {quietHours && (
        <li>
          {t('triggers.source.quiet', {
            from: quietHours.from,
            to: quietHours.to,
            zone: quietHours.timeZone,
          })}
        </li>
      )}
    </ul>
  )
}
