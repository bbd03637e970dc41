import './approvals.css'
import { ShieldAlert, ShieldQuestionMark } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import type { AnswerReceipt, ApprovalDecision } from '@capstan/protocol'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useProblemWords } from '../i18n/use-problem-words.ts'
import { useT } from '../i18n/use-t.ts'
import { agentName, ApiError } from '@capstan/client'
import type { ApiErrorCode, AskedApproval } from '@capstan/client'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import { useNow } from '../timeline/use-now.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Button } from '../ui/controls/button.tsx'
import { ApprovalButtons, answersFor, isGrant, LimitChoice } from './approval-buttons.tsx'
import type { Decision } from './approval-buttons.tsx'
import { ExactArguments } from './exact-arguments.tsx'
import { HiddenValues } from './hidden-values.tsx'
import { KnownArguments } from './known-arguments.tsx'
import { useAnswerKeys } from './use-answer-keys.ts'
import { useRevealed } from './use-revealed.ts'
import { WhyAsked } from './why-asked.tsx'

export interface ApprovalCardProps {
  readonly approval: AskedApproval
  readonly tool: string
  /** The app it would change; absent for what happens on this computer. */
  readonly where: string | undefined
  /** The turn has ended without an answer. */
  readonly isGone: boolean
}

/** The state of the answer that was sent from this page. */
type Answer =
  | { readonly type: 'none' }
  /** The person chose it without having seen the hidden values, and has to choose it again. */
  | { readonly type: 'unseen'; readonly decision: Decision }
  | { readonly type: 'sending'; readonly decision: Decision }
  | { readonly type: 'failed'; readonly decision: Decision; readonly code: ApiErrorCode }
  | { readonly type: 'sent'; readonly decision: Decision; readonly receipt: AnswerReceipt }

/** Asks a person whether a call may run. Once it is answered, here or elsewhere, the card shows the answer. */
export function ApprovalCard({ approval, tool, where, isGone }: ApprovalCardProps): ReactElement {
  const t = useT()
  const api = useApi()
  const titleId = useId()
  const [answer, setAnswer] = useState<Answer>({ type: 'none' })
  const [reported, setReported] = useState<ApprovalDecision>()
  const [limit, setLimit] = useState(approval.limits?.[0])
  const revealed = useRevealed(approval.id)
  const now = useNow(approval.decision === undefined && !isGone)

  useServerEvent('approval-change', (row) => {
    if (row.id === approval.id && row.decision) setReported(row.decision)
  })

  async function decide(decision: Decision): Promise<void> {
    const isUnseen = approval.hidden !== undefined && !revealed.wasSeen && decision !== 'deny'
    if (isUnseen && !(answer.type === 'unseen' && answer.decision === decision))
      return setAnswer({ type: 'unseen', decision })
    setAnswer({ type: 'sending', decision })
    try {
      const { receipt } = await api.answerApproval(approval.id, {
        decision,
        ...(limit && isGrant(decision) && { constraints: limit }),
        ...(approval.hidden && decision !== 'deny' && { withHidden: true }),
      })
      setAnswer({ type: 'sent', decision, receipt })
    } catch (error) {
      setAnswer({ type: 'failed', decision, code: error instanceof ApiError ? error.code : 'internal' })
    }
  }

  const settled = settle(approval, answer, reported, isGone, now)
  const isSending = answer.type === 'sending'
  const card = useRef<HTMLElement>(null)
  const mayAnswer = settled === undefined && !isSending
  const pressed = useAnswerKeys(card, mayAnswer ? answersFor(approval.effect) : [], (one) => void decide(one))
  if (settled) return <Settled label={approval.label} how={settled} />

  return (
    <section
      ref={card}
      className="approvals-card"
      aria-labelledby={titleId}
      data-effect={approval.effect}
      tabIndex={0}
      data-approval={approval.id}
    >
      <header>
        <ShieldQuestionMark aria-hidden="true" />
        <h2 id={titleId}>
          {t('approvals.title')} <span dir="auto">{approval.label}</span>
        </h2>
        <Countdown expiresAt={approval.expiresAt} now={now} />
      </header>
      {approval.reason && <WhyAsked reason={approval.reason} />}
      <Facts approval={approval} tool={tool} where={where} />
      <KnownArguments tool={tool} value={revealed.value ?? approval.arguments} />
      <ExactArguments value={revealed.value ?? approval.arguments} />
      {approval.hidden && (
        <HiddenValues hidden={approval.hidden} state={revealed.state} onToggle={revealed.toggle} />
      )}
      {approval.limits && approval.effect !== 'admin' && (
        <LimitChoice limits={approval.limits} chosen={limit} onChoose={setLimit} />
      )}
      <ApprovalButtons
        effect={approval.effect}
        sending={isSending ? answer.decision : undefined}
        pressed={pressed}
        onDecide={(one) => void decide(one)}
      />
      {answer.type === 'unseen' && !revealed.wasSeen && (
        <Unseen onAllow={() => void decide(answer.decision)} />
      )}
      {answer.type === 'failed' && <Failed answer={answer} onRetry={() => void decide(answer.decision)} />}
    </section>
  )
}

type Ending = Exclude<ApprovalDecision, 'withdrawn'> | 'elsewhere' | 'gone'

/** How the approval ended, if it did. The thread's record wins over what this page knows. */
function settle(
  { decision, expiresAt }: AskedApproval,
  answer: Answer,
  reported: ApprovalDecision | undefined,
  isGone: boolean,
  now: number,
): Ending | undefined {
  if (decision) return decision === 'withdrawn' ? 'gone' : decision
  if (reported === 'withdrawn') return 'gone'
  if (reported) return answer.type === 'sent' || answer.type === 'sending' ? reported : 'elsewhere'
  if (answer.type === 'sent') return RECEIPTS[answer.receipt] ?? answer.decision
  if (isGone) return 'gone'
  return now >= expiresAt ? 'expired' : undefined
}

const RECEIPTS: Partial<Record<AnswerReceipt, Ending>> = {
  'already-answered': 'elsewhere',
  expired: 'expired',
  unknown: 'gone',
}

const TONES = {
  'allow-once': 'ok',
  'allow-thread': 'ok',
  'allow-hour': 'ok',
  'allow-always': 'ok',
  deny: 'neutral',
  expired: 'warn',
  elsewhere: 'info',
  gone: 'neutral',
} as const

function Settled({ label, how }: { readonly label: string; readonly how: Ending }): ReactElement {
  const t = useT()
  return (
    <p className="approvals-settled" role="status">
      <span dir="auto">{label}</span>
      <Badge tone={TONES[how]}>{t(`approvals.answered.${how}`)}</Badge>
      {how === 'expired' && <span>{t('approvals.expired')}</span>}
    </p>
  )
}

function Facts({
  approval,
  tool,
  where,
}: Pick<ApprovalCardProps, 'approval' | 'tool' | 'where'>): ReactElement {
  const t = useT()
  return (
    <dl className="approvals-facts">
      {approval.agent !== undefined && (
        <div>
          <dt>{t('approvals.agent')}</dt>
          <dd dir="auto">{agentName({ agent: approval.agent })}</dd>
        </div>
      )}
      <div>
        <dt>{t('approvals.where')}</dt>
        <dd dir="auto">{where ?? t('approvals.this-computer')}</dd>
      </div>
      <div>
        <dt>{t('approvals.what')}</dt>
        <dd>
          <code>{tool}</code>
        </dd>
      </div>
      <div>
        <dt>{t('approvals.effect')}</dt>
        <dd>
          {approval.effect === 'admin' ? (
            <Badge tone="fail" icon={<ShieldAlert aria-hidden="true" />}>
              {t('approvals.effect-admin')}
            </Badge>
          ) : (
            <Badge tone="warn">
              {t(approval.effect === 'read' ? 'approvals.effect-read' : 'approvals.effect-write')}
            </Badge>
          )}
        </dd>
      </div>
    </dl>
  )
}

/** The second press that allows a call with hidden values unseen. */
function Unseen({ onAllow }: { readonly onAllow: () => void }): ReactElement {
  const t = useT()
  return (
    <div className="approvals-state" role="alert">
      <p className="approvals-warning">{t('approvals.hidden.unseen')}</p>
      <Button size="sm" onClick={onAllow}>
        {t('approvals.hidden.allow-unseen')}
      </Button>
    </div>
  )
}

function Countdown({ expiresAt, now }: { readonly expiresAt: number; readonly now: number }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const left = Math.max(0, Math.ceil((expiresAt - now) / 1000) * 1000)
  return (
    <span className="approvals-countdown ui-figures" data-soon={left < 60_000 || undefined}>
      {t('approvals.expires-in', { time: format.duration(left) })}
    </span>
  )
}

function Failed({
  answer,
  onRetry,
}: {
  readonly answer: Extract<Answer, { readonly type: 'failed' }>
  readonly onRetry: () => void
}): ReactElement {
  const t = useT()
  const words = useProblemWords()
  return (
    <div className="approvals-state" data-tone="fail" role="alert">
      <p>
        {t('approvals.send-failed')} {words({ code: answer.code })}
      </p>
      <Button size="sm" onClick={onRetry}>
        {t('approvals.retry')}
      </Button>
    </div>
  )
}
