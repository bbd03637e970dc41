import type { SchedulePreview } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Time } from '../../ui/text/time.tsx'
import type { PreviewState } from './timing/use-preview.ts'
import { useWhenWords } from './timing/use-when-words.ts'
import { ZoneTime } from './zone-time.tsx'

/** When something would run, in words and as the next times, or why that is not clear. Said to a screen reader. */
export function NextRuns({ state }: { readonly state: PreviewState }): ReactElement {
  const t = useT()
  return (
    <div className="schedules-preview" role="status">
      {state.type === 'asking' && <p className="schedules-soft">{t('ui.loading')}</p>}
      {state.type === 'refused' && <p className="schedules-problem">{state.problem.text}</p>}
      {state.type === 'found' && <Found preview={state.preview} />}
    </div>
  )
}

function Found({ preview: { cron, zone, nextRuns } }: { readonly preview: SchedulePreview }): ReactElement {
  const t = useT()
  const toWords = useWhenWords()
  return (
    <>
      <p>
        <strong>{toWords(cron)}</strong> <bdi className="schedules-soft">{zone}</bdi>
      </p>
      <p className="schedules-soft">{t('schedules.form.next')}</p>
      <ol className="schedules-times">
        {nextRuns.map((at) => (
          <li key={at}>
            <ZoneTime at={at} zone={zone} />{' '}
            <span className="schedules-soft">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}
