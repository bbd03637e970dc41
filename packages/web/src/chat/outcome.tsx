import { CircleStop, Hourglass, MessageCircleQuestionMark, TriangleAlert } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type { Cap, TurnOutcome } from '@capstan/protocol'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useProblemWords } from '../i18n/use-problem-words.ts'
import { useT } from '../i18n/use-t.ts'
import { ApiError, callsOf, openFailuresOf, rootOf, toName } from '@capstan/client'
import { useApi } from '../socket/server-context.tsx'
import { useThreadScope } from '../state/thread-scope.ts'
import type { Call, Turn } from '@capstan/client'
import { FailureLines } from '../timeline/failure-lines.tsx'
import { Button } from '../ui/controls/button.tsx'

export interface OutcomeProps {
  readonly turn: Turn
  /** No later message follows: the turn can be continued or asked again. */
  readonly isLast: boolean
  readonly onAnswer: (text: string) => void
}

/** The outcome of a turn that needs more than its answer. An answer never stands alone over a call whose end is unknown. */
export function Outcome(props: OutcomeProps): ReactElement | null {
  const t = useT()
  const { openCalls = [] } = rootOf(props.turn).outcome ?? {}
  const ending = <Ending {...props} />
  if (openCalls.length === 0) return ending
  const calls = callsOf(props.turn)
  const names = openCalls.map(({ runId, callId, tool }) =>
    nameOf(
      tool,
      calls.find((call) => call.runId === runId && call.callId === callId),
    ),
  )
  const tools = [...new Set(names)].join(', ')
  return (
    <>
      <Banner icon={TriangleAlert} title={t('chat.outcome.open-calls', { tools })} />
      {ending}
    </>
  )
}

/** The name of a call, as the timeline shows it. */
function nameOf(tool: string, call: Call | undefined): string {
  return call && call.label !== tool && call.label !== '' ? call.label : toName(tool)
}

/** How the turn ended, with the actions it offers. */
function Ending({ turn, isLast, onAnswer }: OutcomeProps): ReactElement | null {
  const t = useT()
  const { outcome } = rootOf(turn)
  const { askAgain } = useThreadScope()
  const retry = isLast && askAgain ? () => askAgain(turn) : undefined
  if (!outcome) return null
  switch (outcome.type) {
    case 'done':
      return outcome.cut ? <Banner icon={TriangleAlert} title={t('chat.outcome.cut')} /> : null
    case 'halted':
      return (
        <Banner icon={TriangleAlert} title={t('chat.outcome.halted')}>
          {outcome.tool !== undefined && outcome.count !== undefined && (
            <p>
              {t('chat.outcome.halted-after', {
                tool: nameOf(
                  outcome.tool,
                  callsOf(turn).findLast(({ tool }) => tool === outcome.tool),
                ),
                times: outcome.count,
              })}
            </p>
          )}
          {outcome.failure ? (
            <FailureLines failure={outcome.failure} stage="given-up" onRetry={retry} />
          ) : (
            <Retry onRetry={retry} />
          )}
        </Banner>
      )
    case 'capped':
      return <Capped outcome={outcome} isLast={isLast} />
    case 'failed':
      return (
        <Banner icon={TriangleAlert} tone="fail" title={t('chat.outcome.failed')}>
          <FailureLines failure={outcome.failure} of="model" stage="given-up" onRetry={retry} />
        </Banner>
      )
    case 'aborted':
      return (
        <Banner icon={CircleStop} tone="quiet" title={t('chat.outcome.aborted')}>
          {!mayHaveHappened(turn) && <Retry onRetry={retry} />}
        </Banner>
      )
    case 'needs-input':
      // The next message was the answer.
      if (!isLast) return null
      return (
        <Banner icon={MessageCircleQuestionMark} title={t('chat.outcome.needs-input')}>
          <Choices options={optionsOf(turn, outcome)} onAnswer={onAnswer} />
        </Banner>
      )
  }
}

/** A change broke off: trying again could make it twice. */
const mayHaveHappened = (turn: Turn): boolean =>
  openFailuresOf(turn).some(({ failure }) => failure?.class === 'interrupted')

function Capped({
  outcome,
  isLast,
}: {
  readonly outcome: Extract<TurnOutcome, { readonly type: 'capped' }>
  readonly isLast: boolean
}): ReactElement {
  const t = useT()
  const api = useApi()
  const words = useProblemWords()
  const capWords = useCapWords()
  const { threadId } = useThreadScope()
  const [state, setState] = useState<'idle' | 'sending' | 'gone' | ApiError>('idle')

  async function goOn(token: string): Promise<void> {
    setState('sending')
    try {
      await api.continueTurn(threadId, token)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setState(error.code === 'conflict' || error.code === 'not_found' ? 'gone' : error)
    }
  }

  const { resumeToken, cap } = outcome
  return (
    <Banner icon={Hourglass} title={t('chat.outcome.capped')}>
      <p>{capWords(cap)}</p>
      {state instanceof ApiError && <p role="alert">{words({ code: state.code })}</p>}
      {state === 'gone' && <p role="alert">{t('chat.outcome.continue-gone')}</p>}
      {isLast && resumeToken !== undefined && state !== 'gone' && (
        <Button variant="strong" busy={state === 'sending'} onClick={() => void goOn(resumeToken)}>
          {t('chat.outcome.continue')}
        </Button>
      )}
    </Banner>
  )
}

function useCapWords(): (cap: Cap) => string {
  const t = useT()
  const format = useFormatters()
  return ({ kind, limit }) => {
    switch (kind) {
      case 'iterations':
        return t('chat.outcome.capped-iterations', { limit })
      case 'tokens':
        return t('chat.outcome.capped-tokens', { limit })
      case 'usd':
        return t('chat.outcome.capped-usd', { limit: format.currency(limit) })
      case 'wall-clock':
        return t('chat.outcome.capped-time', { limit: format.duration(limit) })
    }
  }
}

/** The suggested answers of a question. */
function optionsOf(turn: Turn, { callId }: Extract<TurnOutcome, { type: 'needs-input' }>): readonly string[] {
  for (const run of turn.runs.values())
    for (const { items } of run.iterations.toReversed()) {
      const call = items.find((item): item is Call => item.type === 'call' && item.callId === callId)
      const given = call?.arguments
      if (typeof given !== 'object' || given === null || !('options' in given)) continue
      const { options } = given
      if (Array.isArray(options)) return options.filter((option) => typeof option === 'string').slice(0, 10)
    }
  return []
}

function Choices({
  options,
  onAnswer,
}: {
  readonly options: readonly string[]
  readonly onAnswer: (text: string) => void
}): ReactElement | null {
  if (options.length === 0) return null
  return (
    <div className="chat-choices">
      {options.map((option) => (
        <Button key={option} size="sm" onClick={() => onAnswer(option)}>
          <span dir="auto">{option}</span>
        </Button>
      ))}
    </div>
  )
}

function Retry({ onRetry }: { readonly onRetry: (() => void) | undefined }): ReactElement | null {
  const t = useT()
  if (!onRetry) return null
  return (
    <Button size="sm" onClick={onRetry}>
      {t('chat.outcome.retry')}
    </Button>
  )
}

function Banner({
  icon: Icon,
  tone = 'warn',
  title,
  children,
}: {
  readonly icon: LucideIcon
  readonly tone?: 'warn' | 'fail' | 'quiet'
  readonly title: string
  readonly children?: ReactNode
}): ReactElement {
  return (
    <div className="chat-outcome" data-tone={tone}>
      <p className="chat-outcome-title">
        <Icon aria-hidden="true" />
        {title}
      </p>
      {children}
    </div>
  )
}
