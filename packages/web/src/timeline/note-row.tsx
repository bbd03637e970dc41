import {
  Bot,
  CircleCheck,
  Info,
  MessageSquare,
  RotateCw,
  Scissors,
  TriangleAlert,
  Unplug,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { memo } from 'react'
import type { ReactElement } from 'react'
import type { Failure, NoticeFact } from '@capstan/protocol'
import { useFailureWords } from '../i18n/use-failure-words.ts'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useNoteWords } from '../i18n/use-note-words.ts'
import { useT } from '../i18n/use-t.ts'
import type { Note } from '@capstan/client'

/** An event of the turn that is not a call. */
export const NoteRow = memo(function NoteRow({ note }: { readonly note: Note }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const { nudgeWords } = useNoteWords()
  switch (note.type) {
    case 'notice':
      return <NoticeLine text={note.text} fact={note.fact} />
    case 'message':
      return <Line icon={MessageSquare}>{t('timeline.note.message', { text: note.text })}</Line>
    case 'nudge':
      return (
        <Line icon={TriangleAlert} tone="warn">
          {nudgeWords(note.guard, note.text)}
        </Line>
      )
    case 'retry':
      return <RetryLine failure={note.failure} delayMs={note.delayMs} />
    case 'quiet':
      return (
        <Line icon={TriangleAlert} tone="warn">
          {t('timeline.note.quiet', { time: format.duration(note.limitMs) })}
        </Line>
      )
    case 'compaction':
      return (
        <Line icon={Scissors}>
          {t('timeline.note.compaction', {
            before: format.compact(note.tokensBefore),
            after: format.compact(note.tokensAfter),
          })}
        </Line>
      )
    case 'prefix-break':
      return <Line icon={Info}>{t(`timeline.note.prefix-${note.field}`)}</Line>
    case 'stale':
      return (
        <Line icon={TriangleAlert} tone="warn">
          {t('timeline.note.stale')}
        </Line>
      )
    case 'resume':
      return <Line icon={RotateCw}>{t('timeline.note.resume')}</Line>
  }
})

/** Notices are written for the model. People get words of their own. */
function NoticeLine({
  text,
  fact,
}: {
  readonly text: string
  readonly fact: NoticeFact | undefined
}): ReactElement {
  const { noticeWords } = useNoteWords()
  const words = noticeWords(text, fact)
  switch (fact?.kind) {
    case 'app-connected':
      return (
        <Line icon={CircleCheck} tone="ok">
          {words}
        </Line>
      )
    case 'app-disconnected':
      return (
        <Line icon={Unplug} tone="warn">
          {words}
        </Line>
      )
    case 'spending-day':
    case 'spending-month':
      return (
        <Line icon={TriangleAlert} tone="warn">
          {words}
        </Line>
      )
    case 'agent-ended':
      return <Line icon={Bot}>{words}</Line>
    case 'app-accounts-changed':
    case 'apps-available':
    case 'tool-added':
    case 'tool-removed':
    case undefined:
      return <Line icon={Info}>{words}</Line>
  }
}

function RetryLine({
  failure,
  delayMs,
}: {
  readonly failure: Failure
  readonly delayMs: number
}): ReactElement {
  const t = useT()
  const words = useFailureWords()
  const format = useFormatters()
  return (
    <Line icon={RotateCw} tone="warn">
      {t('timeline.note.retry', { why: words(failure, 'model').why, time: format.duration(delayMs) })}
    </Line>
  )
}

function Line({
  icon: Icon,
  tone,
  children,
}: {
  readonly icon: LucideIcon
  readonly tone?: 'ok' | 'warn'
  readonly children: string
}): ReactElement {
  return (
    <p className="timeline-note" data-tone={tone}>
      <Icon className="timeline-icon" aria-hidden="true" />
      <span dir="auto">{children}</span>
    </p>
  )
}
