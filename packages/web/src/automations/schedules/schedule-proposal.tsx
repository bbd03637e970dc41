import './schedules.css'
import { markInvisible } from '@capstan/client'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { NextRuns } from './next-runs.tsx'
import { usePreview } from './timing/use-preview.ts'

/** A schedule that the assistant proposes, as a person reads it: what to do, when in words, and the next runs. */
export function ScheduleProposal({
  prompt,
  when,
  zone,
}: {
  readonly prompt: string
  readonly when: string
  readonly zone: string | undefined
}): ReactElement {
  const t = useT()
  return (
    <div className="schedules-proposal">
      <h3>{t('schedules.form.prompt')}</h3>
      <p className="schedules-proposed" dir="auto">
        <Visible text={prompt} />
      </p>
      <h3>{t('schedules.form.words')}</h3>
      <NextRuns state={usePreview(when, zone)} />
    </div>
  )
}

/** A text of a model. Characters that a screen would not show are shown as codes. */
function Visible({ text }: { readonly text: string }): ReactElement[] {
  return markInvisible(text).map((part, index) =>
    'text' in part ? (
      <span key={index}>{part.text}</span>
    ) : (
      <mark key={index} className="approvals-invisible">
        {part.code}
      </mark>
    ),
  )
}
