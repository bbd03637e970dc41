import { EyeOff } from 'lucide-react'
import type { ReactElement } from 'react'
import type { HiddenValue } from '@capstan/protocol'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/controls/button.tsx'
import { isolate } from './approval-buttons.tsx'

export interface HiddenValuesProps {
  readonly hidden: readonly HiddenValue[]
  readonly state: 'hidden' | 'loading' | 'shown' | 'failed'
  readonly onToggle: () => void
}

/** What is hidden in the arguments, how long it is and why, with the button that shows it. */
export function HiddenValues({ hidden, state, onToggle }: HiddenValuesProps): ReactElement {
  const t = useT()
  return (
    <div className="approvals-hidden">
      <p>
        <EyeOff aria-hidden="true" /> {t('approvals.hidden.count', { number: hidden.length })}
      </p>
      <ul role="list">
        {hidden.map(({ path, chars, source }) => (
          <li key={path}>
            {t(`approvals.hidden.${source}`, {
              path: path === '' ? t('approvals.hidden.whole') : isolate(path),
              chars,
            })}
          </li>
        ))}
      </ul>
      <Button size="sm" busy={state === 'loading'} aria-pressed={state === 'shown'} onClick={onToggle}>
        {t(state === 'shown' ? 'approvals.hidden.hide' : 'approvals.hidden.show')}
      </Button>
      {state === 'failed' && <p role="alert">{t('approvals.hidden.failed')}</p>}
    </div>
  )
}
