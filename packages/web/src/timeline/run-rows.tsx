import { Brain, Quote } from 'lucide-react'
import { memo, startTransition, useEffect, useState } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { useOpened } from '../state/thread-scope.ts'
import type { Item, Iteration, Run, Turn } from '@capstan/client'
import { Disclosure } from '../ui/surfaces/disclosure.tsx'
import { CallRow } from './call-row.tsx'
import { Cost } from './cost.tsx'
import { NoteRow } from './note-row.tsx'

/** The rows of a run, iteration by iteration. */
export function RunRows({ run, turn }: { readonly run: Run; readonly turn: Turn }): ReactElement {
  const shown = useGrowing(run.iterations.length)
  return (
    <ol className="timeline-run" role="list">
      {run.iterations.slice(0, shown).map((iteration) => (
        <IterationRows key={iteration.number} iteration={iteration} run={run} turn={turn} />
      ))}
    </ol>
  )
}

/** How many iterations are drawn at once; the rest follows in parts, so that a long run does not block the page. */
const PART = 12

function useGrowing(total: number): number {
  const [shown, setShown] = useState(PART)
  useEffect(() => {
    if (shown >= total) return
    const timer = setTimeout(() => startTransition(() => setShown((count) => count + PART)))
    return () => clearTimeout(timer)
  }, [shown, total])
  return shown
}

interface IterationProps {
  readonly iteration: Iteration
  readonly run: Run
  readonly turn: Turn
}

/** Drawn again only when the iteration or one of its sub-agents changed. */
const IterationRows = memo(
  function IterationRows({ iteration, run, turn }: IterationProps): ReactElement {
    const t = useT()
    const { number, items, usage, modelMs } = iteration
    const format = useFormatters()
    return (
      <li className="timeline-iteration">
        <p className="timeline-iteration-head">
          <span>{t('timeline.iteration', { number })}</span>
          <span className="timeline-aside">
            {usage && (
              <span className="ui-figures timeline-tokens">
                {t('timeline.tokens-in', { tokens: format.compact(usage.inputTokens) })}
                {' · '}
                {t('timeline.tokens-out', { tokens: format.compact(usage.outputTokens) })}
              </span>
            )}
            <Cost usage={usage} />
            {modelMs !== undefined && <span className="ui-figures">{format.duration(modelMs)}</span>}
          </span>
        </p>
        <ol className="timeline-items" role="list">
          {items.map((item) => (
            <ItemRow
              key={item.key}
              item={item}
              isAnswer={isAnswer(item, iteration, run)}
              run={run}
              turn={turn}
            />
          ))}
        </ol>
      </li>
    )
  },
  (before, after) =>
    before.iteration === after.iteration &&
    isEnded(before) === isEnded(after) &&
    isLast(before) === isLast(after) &&
    !hasOpenChildren(before) &&
    !hasOpenChildren(after),
)

const isEnded = ({ turn }: IterationProps): boolean => turn.runs.get(turn.runId)?.endedAt !== undefined

const isLast = ({ iteration, run }: IterationProps): boolean => iteration === run.iterations.at(-1)

function hasOpenChildren({ iteration, turn }: IterationProps): boolean {
  return iteration.items.some(
    (item) => item.type === 'call' && item.children.some((id) => turn.runs.get(id)?.endedAt === undefined),
  )
}

/** The final text of a turn is shown above the timeline already. */
function isAnswer(item: Item, iteration: Iteration, run: Run): boolean {
  return (
    item.type === 'text' &&
    run.parent === undefined &&
    iteration === run.iterations.at(-1) &&
    !iteration.items.some((other) => other.type === 'call')
  )
}

function ItemRow({
  item,
  turn,
  run,
  isAnswer: isHidden,
}: {
  readonly item: Item
  readonly turn: Turn
  readonly run: Run
  readonly isAnswer: boolean
}): ReactElement | null {
  const t = useT()
  if (item.type === 'call') return <CallRow call={item} turn={turn} />
  if (item.type === 'thinking') {
    return (
      <li>
        <Thinking text={item.text} id={`${run.id}:${item.key}`} />
      </li>
    )
  }
  if (item.type === 'text') {
    if (isHidden || item.text.trim() === '') return null
    return (
      <li className="timeline-interim">
        <Quote className="timeline-icon" aria-hidden="true" />
        <span className="ui-visually-hidden">{t('timeline.interim')}</span>
        <span dir="auto">{item.text.trim()}</span>
      </li>
    )
  }
  return (
    <li>
      <NoteRow note={item} />
    </li>
  )
}

function Thinking({ text, id }: { readonly text: string; readonly id: string }): ReactElement {
  const t = useT()
  const [isShown, setShown] = useOpened(`thinking:${id}`, false)
  return (
    <Disclosure
      className="timeline-thinking"
      open={isShown}
      onOpenChange={setShown}
      summary={
        <span className="timeline-call-line">
          <Brain className="timeline-icon" aria-hidden="true" />
          <span className="timeline-label">{t('timeline.thought')}</span>
          <span className="timeline-detail" dir="auto">
            {firstLine(text)}
          </span>
        </span>
      }
    >
      <p className="timeline-thought" dir="auto">
        {text}
      </p>
    </Disclosure>
  )
}

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0]?.slice(0, 160) ?? ''
