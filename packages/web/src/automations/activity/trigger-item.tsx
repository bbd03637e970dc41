import type { TriggerOutcome, TriggerRow } from '@capstan/protocol'
import { MessageSquare } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { toPath } from '../../routing/route.ts'
import { Link } from '../../routing/router.tsx'
import { Button } from '../../ui/controls/button.tsx'
import type { Tone } from '../../ui/feedback/badge.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Disclosure } from '../../ui/surfaces/disclosure.tsx'
import { Time } from '../../ui/text/time.tsx'
import { PayloadView } from './payload-view.tsx'
import { useDecisionWords } from './use-decision-words.ts'
import { WrongDialog } from './wrong-dialog.tsx'

const OUTCOME_TONES: Readonly<Record<TriggerOutcome['type'], Tone>> = {
  running: 'info',
  waits: 'accent',
  done: 'ok',
  capped: 'warn',
  failed: 'fail',
  gone: 'neutral',
}

/** One trigger: what came, what was decided and why, and what came of it. */
export function TriggerItem({
  row,
  onChange,
}: {
  readonly row: TriggerRow
  readonly onChange: () => void
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const words = useDecisionWords()(row)
  const [isCorrecting, setCorrecting] = useState(false)
  const { decision, outcome, threadId, feedback, costUsd } = row
  return (
    <article className="activity-item" aria-labelledby={row.id}>
      <header className="activity-head">
        <h4 id={row.id} dir="auto">
          {row.label}
        </h4>
        <Badge tone={words.tone}>{words.name}</Badge>
        {outcome && (
          <Badge tone={OUTCOME_TONES[outcome.type]}>{t(`activity.outcomes.${outcome.type}`)}</Badge>
        )}
      </header>
      <p className="activity-facts">
        <bdi>{row.sourceName}</bdi>
        <Time at={row.receivedAt} form="time" />
        {costUsd > 0 && <span>{t('activity.cost', { amount: format.currency(costUsd) })}</span>}
        {decision?.model !== undefined && <bdi>{t('activity.judgedBy', { model: decision.model })}</bdi>}
      </p>
      {words.reason !== undefined && (
        <p className="activity-reason">
          <span className="activity-label">{t('activity.why')}</span> <bdi dir="auto">{words.reason}</bdi>{' '}
          {row.waitsFor !== undefined && row.nextAt !== undefined && (
            <span className="activity-soft">
              {t('activity.nextTry', { time: format.dateTime(row.nextAt) })}
            </span>
          )}
        </p>
      )}
      {outcome?.text !== undefined && (
        <p className="activity-answer" dir="auto">
          {outcome.text}
        </p>
      )}
      {feedback && (
        <p className="activity-said">
          {t('activity.wrong.said', { right: t(`activity.rights.${feedback.right}`) })}
          {feedback.note !== undefined && <bdi dir="auto"> {feedback.note}</bdi>}
        </p>
      )}
      <div className="activity-actions">
        {threadId !== undefined && outcome?.type !== 'gone' && (
          <Link
            className="ui-button"
            data-variant="plain"
            data-size="sm"
            to={toPath({ page: 'chat', threadId })}
          >
            <MessageSquare aria-hidden="true" />
            <span className="ui-button-label">{t('activity.thread')}</span>
          </Link>
        )}
        {decision && decision.by !== 'switch' && decision.by !== 'removed' && (
          <Button size="sm" variant="quiet" onClick={() => setCorrecting(true)}>
            {t(feedback ? 'activity.wrong.change' : 'activity.wrong.action')}
          </Button>
        )}
      </div>
      <Disclosure summary={t('activity.payload')} className="activity-more">
        <PayloadView triggerId={row.id} />
      </Disclosure>
      {isCorrecting && <WrongDialog row={row} onSaved={onChange} onClose={() => setCorrecting(false)} />}
    </article>
  )
}
