import { ExternalLink, MessageSquare, ZoomIn, ZoomOut } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import type { FailureStage } from '../../i18n/use-failure-words.ts'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/controls/button.tsx'
import { toPath } from '../../routing/route.ts'
import { Link } from '../../routing/router.tsx'
import { CostText, TokensText } from '../cost-text.tsx'
import { usageOf } from '../run-cost.ts'
import { ToneIcon } from '../run-status.tsx'
import { useRowWords } from './use-row-words.ts'
import type { WaterfallRow } from './waterfall.ts'
import { WhyAndNext } from '../why-and-next.tsx'

/** The details of one row: the hovered one, else the selected one. */
export function WaterfallDetails({
  row,
  stage,
  isChosen,
  isZoomed,
  onZoom,
  onZoomOut,
}: {
  readonly row: WaterfallRow
  /** The stage of the whole run. */
  readonly stage: FailureStage
  /** A row was selected, so the details stay in view. */
  readonly isChosen: boolean
  readonly isZoomed: boolean
  readonly onZoom: () => void
  readonly onZoomOut: () => void
}): ReactElement {
  const t = useT()
  const words = useRowWords()(row)
  return (
    <section
      className="runs-details"
      data-chosen={isChosen || undefined}
      aria-label={t('runs.waterfall.details')}
    >
      <header className="runs-details-head">
        <ToneIcon tone={row.tone} />
        <strong>
          <bdi>{words.name}</bdi>
        </strong>
        {row.kind === 'call' && <code>{row.call.tool}</code>}
        <span className="runs-soft">{words.status}</span>
      </header>
      <dl className="runs-facts">
        <Fact name={t('runs.waterfall.began')}>{words.start}</Fact>
        <Fact name={t('runs.waterfall.took')}>{words.duration}</Fact>
        {row.kind === 'run' ? <RunFacts row={row} /> : <CallFacts row={row} />}
      </dl>
      {row.kind === 'run' && row.run.parent && row.run.text !== '' && (
        <p className="runs-quote">
          <bdi>{row.run.text}</bdi>
        </p>
      )}
      <RowFailure row={row} stage={stage} />
      <div className="runs-details-actions">
        {isZoomed ? (
          <Button size="sm" icon={<ZoomOut aria-hidden="true" />} onClick={onZoomOut}>
            {t('runs.waterfall.zoomOut')}
          </Button>
        ) : (
          <Button size="sm" icon={<ZoomIn aria-hidden="true" />} onClick={onZoom}>
            {t('runs.waterfall.zoom')}
          </Button>
        )}
        {row.kind === 'call' && (
          <Link
            className="ui-button"
            data-size="sm"
            to={toPath({ page: 'chat', threadId: row.call.threadId, callId: row.call.callId })}
          >
            <MessageSquare aria-hidden="true" />
            {t('runs.openCall')}
          </Link>
        )}
        {row.kind === 'run' && row.level > 0 && (
          <Link className="ui-button" data-size="sm" to={toPath({ page: 'runs', runId: row.run.id })}>
            <ExternalLink className="ui-mirrored" aria-hidden="true" />
            {t('runs.openRun')}
          </Link>
        )}
      </div>
    </section>
  )
}

function RunFacts({ row }: { readonly row: WaterfallRow & { readonly kind: 'run' } }): ReactElement {
  const t = useT()
  const usage = usageOf(row.run)
  return (
    <>
      <Fact name={t('runs.columns.model')}>
        <bdi>{row.run.model}</bdi>
      </Fact>
      {usage && (
        <>
          <Fact name={t('runs.columns.tokens')}>
            <TokensText usage={usage} />
          </Fact>
          <Fact name={t('runs.columns.cost')}>
            <CostText usage={usage} />
          </Fact>
        </>
      )}
    </>
  )
}

function CallFacts({ row }: { readonly row: WaterfallRow & { readonly kind: 'call' } }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const { effect, decision, status, outputBytes } = row.call
  return (
    <>
      {effect && <Fact name={t('runs.waterfall.effect')}>{t(`runs.waterfall.effects.${effect}`)}</Fact>}
      {decision && (
        <Fact name={t('runs.waterfall.decision')}>{t(`runs.waterfall.decisions.${decision}`)}</Fact>
      )}
      {status !== 'started' && <Fact name={t('runs.waterfall.output')}>{format.bytes(outputBytes)}</Fact>}
    </>
  )
}

function RowFailure({
  row,
  stage,
}: {
  readonly row: WaterfallRow
  readonly stage: FailureStage
}): ReactElement | null {
  if (row.kind === 'call')
    return row.call.failure ? <WhyAndNext failure={row.call.failure} of="call" stage={stage} /> : null
  const { outcome } = row.run
  return outcome?.type === 'failed' ? <WhyAndNext failure={outcome.failure} of="model" stage={stage} /> : null
}

export function Fact({
  name,
  children,
}: {
  readonly name: string
  readonly children: ReactNode
}): ReactElement {
  return (
    <div className="runs-fact">
      <dt>{name}</dt>
      <dd className="ui-figures">{children}</dd>
    </div>
  )
}
