import { Suspense, lazy, memo } from 'react'
import type { ReactElement } from 'react'
import { Asks } from '../approvals/asks.tsx'
import { useT } from '../i18n/use-t.ts'
import type { Turn } from '@capstan/client'
import { answerOf, rootOf, rowsOf } from '@capstan/client'
import { Timeline } from '../timeline/timeline.tsx'
import { CopyButton } from '../ui/controls/copy-button.tsx'
import { Markdown } from './markdown/markdown.tsx'
import { OpenFailures } from './open-failures.tsx'
import { Outcome } from './outcome.tsx'
import type { OutcomeProps } from './outcome.tsx'

/** Loaded only where a fact was proposed. */
const TurnFacts = lazy(async () => ({
  default: (await import('../memory/facts/turn-facts.tsx')).TurnFacts,
}))

/** The answer to a message: its text, open questions, the outcome and the timeline. */
export const Answer = memo(function Answer({ turn, isLast, onAnswer }: OutcomeProps): ReactElement {
  const t = useT()
  const { text, isFinal } = answerOf(turn)
  const isOver = rootOf(turn).endedAt !== undefined
  return (
    <article className="chat-answer" aria-label={t('chat.assistant')} aria-busy={!isOver || undefined}>
      {text.trim() !== '' && (
        <div className="chat-words" data-passing={!isFinal || undefined} data-live={!isOver || undefined}>
          <Markdown text={text} />
        </div>
      )}
      <Asks turn={turn} isLast={isLast} />
      {hasProposedFact(turn) && (
        <Suspense>
          <TurnFacts runs={turn.runs} />
        </Suspense>
      )}
      <OpenFailures turn={turn} />
      <Outcome turn={turn} isLast={isLast} onAnswer={onAnswer} />
      <div className="chat-answer-foot">
        <Timeline turn={turn} />
        {isOver && text.trim() !== '' && <CopyButton text={text} label={t('chat.copy-answer')} />}
      </div>
    </article>
  )
})

const hasProposedFact = (turn: Turn): boolean =>
  rowsOf(turn).some(({ item }) => item.type === 'call' && item.tool === 'remember' && item.status === 'ok')
