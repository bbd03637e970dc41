import './approvals.css'
import { ShieldAlert, ShieldQuestionMark } from 'lucide-react'
import { useId, useState } from 'react'
import type { KeyboardEvent, ReactElement } from 'react'
import type { AnswerReceipt, ApprovalDecision, ApprovalPost } from '@capstan/protocol'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useProblemWords } from '../i18n/use-problem-words.ts'
import { useT } from '../i18n/use-t.ts'
import { ApiError } from '@capstan/client'
import type { ApiErrorCode, AskedApproval } from '@capstan/client'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import { ArgumentsView } from '../timeline/arguments-view.tsx'
import { useNow } from '../timeline/use-now.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'

export interface ApprovalCardProps {
  readonly approval: AskedApproval
  readonly tool: string
  /** The app it would change; absent for what happens on this computer. */
  readonly where: string | undefined
  /** The turn has ended without an answer. */
  readonly isGone: boolean
}

type Decision = ApprovalPost['decision']

/** What became of our own answer. */
type Answer =
  | { readonly type: 'none' }
  | { readonly type: 'sending'; readonly decision: Decision }
  | { readonly type: 'failed'; readonly decision: Decision; readonly code: ApiErrorCode }
  | { readonly type: 'sent'; readonly decision: Decision; readonly receipt: AnswerReceipt }

/** Asks a person whether exactly this may be done. Answered from wherever: it says so and asks no more. */
export function ApprovalCard({ approval, tool, where, isGone }: ApprovalCardProps): ReactElement {
  const t = useT()
  const api = useApi()
  const titleId = useId()
  const [answer, setAnswer] = useState<Answer>({ type: 'none' })
  const [heard, setHeard] = useState<ApprovalDecision>()
  const now = useNow(approval.decision === undefined && !isGone)

  useServerEvent('approval-change', (row) => {
    if (row.id === approval.id && row.decision) setHeard(row.decision)
  })

  async function decide(decision: Decision): Promise<void> {
    setAnswer({ type: 'sending', decision })
    try {
      const { receipt } = await api.answerApproval(approval.id, decision)
      setAnswer({ type: 'sent', decision, receipt })
    } catch (error) {
      setAnswer({ type: 'failed', decision, code: error instanceof ApiError ? error.code : 'internal' })
    }
  }

  const settled = settle(approval, answer, heard, isGone, now)
  if (settled) return <Settled label={approval.label} how={settled} />

  const isSending = answer.type === 'sending'
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isSending || event.ctrlKey || event.metaKey || event.altKey) return
    const decision = KEYS[event.key]
    if (!decision) return
    event.preventDefault()
    void decide(decision)
  }

  return (
    <section
      className="approvals-card"
      aria-labelledby={titleId}
      data-effect={approval.effect}
      tabIndex={0}
      onKeyDown={onKeyDown}
      data-approval={approval.id}
    >
      <header>
        <ShieldQuestionMark aria-hidden="true" />
        <h2 id={titleId}>
          {t('approvals.title')} <span dir="auto">{approval.label}</span>
        </h2>
        <Countdown expiresAt={approval.expiresAt} now={now} />
      </header>
      <dl className="approvals-facts">
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
              <Badge tone="warn">{t('approvals.effect-write')}</Badge>
            )}
          </dd>
        </div>
      </dl>
      <ArgumentsView value={approval.arguments} title={t('approvals.exactly')} />
      <div className="approvals-buttons">
        <Button
          variant="strong"
          busy={isSending && answer.decision === 'allow-once'}
          onClick={() => void decide('allow-once')}
        >
          {t('approvals.once')}
        </Button>
        <Button
          title={t('approvals.always-about')}
          busy={isSending && answer.decision === 'allow-always'}
          onClick={() => void decide('allow-always')}
        >
          {t('approvals.always')}
        </Button>
        <Button
          variant="danger"
          busy={isSending && answer.decision === 'deny'}
          onClick={() => void decide('deny')}
        >
          {t('approvals.deny')}
        </Button>
        <span className="approvals-keys">{t('approvals.keys')}</span>
      </div>
      {answer.type === 'failed' && <Failed answer={answer} onRetry={() => void decide(answer.decision)} />}
    </section>
  )
}

const KEYS: Readonly<Record<string, Decision>> = { a: 'allow-once', A: 'allow-always', d: 'deny', D: 'deny' }

type Ending = ApprovalDecision | 'elsewhere' | 'gone'

/** How it ended, if it did. What the thread says goes before what this page thinks. */
function settle(
  { decision, expiresAt }: AskedApproval,
  answer: Answer,
  heard: ApprovalDecision | undefined,
  isGone: boolean,
  now: number,
): Ending | undefined {
  if (decision) return decision
  if (heard) return answer.type === 'sent' || answer.type === 'sending' ? heard : 'elsewhere'
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
