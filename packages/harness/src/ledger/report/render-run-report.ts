import type { Cap, ExplainPart, Usage } from '@capstan/protocol'
import { toCost, toCount, toDuration, toTokens } from './quantities.ts'
import { renderSteps } from './render-steps.ts'
import type { ReportLine, Said } from './report-line.ts'
import { failurePart, part, textPart, toLine, toOneLine, tokensPart } from './report-line.ts'
import type { RunReport } from './run-report.ts'

export type { ReportLine } from './report-line.ts'

/** How a report is rendered. */
export interface RenderReportOptions {
  /** Formats a point in time. Default: UTC. */
  readonly toTime?: (at: number) => string
}

/** Renders a report as text lines: the question, the steps, the cost, the ending, prefix breaks and failures. */
export function renderRunReport(
  report: RunReport,
  { toTime = toUtc }: RenderReportOptions = {},
): readonly ReportLine[] {
  const isOver = report.endedAt !== undefined
  return [
    ...renderOpening(report, toTime),
    heading('What happened', 'happened'),
    ...orElse(renderSteps(report, 0), ['Nothing yet.', part('nothing')]),
    heading('What it cost', 'cost'),
    ...renderCost(report),
    heading(isOver ? 'Why it stopped' : 'What it waits for', 'ending'),
    fact([report.stopped.sentence, ...endingParts(report)]),
    heading('What broke the prompt cache', 'prefix'),
    ...renderPrefixBreaks(report),
    heading('What failed', 'failures'),
    ...renderFailures(report),
  ]
}

function renderOpening(report: RunReport, toTime: (at: number) => string): readonly ReportLine[] {
  const { asked, agent, depth, model, origin, startedAt: at, endedAt, durationMs, waitedMs } = report
  const { iterations: count } = report
  const ms = durationMs - waitedMs
  const work = toDuration(ms)
  const waited = waitedMs > 0 ? `, and waited ${toDuration(waitedMs)} for a person` : ''
  const took = endedAt === undefined ? `${work} so far` : `took ${work}`
  const who = depth === 0 ? 'The assistant' : `The sub-agent ${agent}`
  const place = origin === 'unlabelled' ? 'an unlabelled place' : origin
  return [
    heading('What was asked', 'asked'),
    fact(
      asked.trim() === ''
        ? ['Nothing: it continued where it had paused.', part('continued')]
        : [toOneLine(asked), textPart(toOneLine(asked))],
    ),
    heading('Who did it', 'who'),
    fact([
      `${who} on ${model}, asked from ${place}`,
      ...(depth === 0 ? [] : [part('agent', { agent })]),
      textPart(model),
    ]),
    fact([
      `${toTime(at)}, ${took}${waited}, ${toCount(count, 'step')}${renderCallCount(report)}`,
      part('at', { at }),
      part(endedAt === undefined ? 'so-far' : 'took', { ms }),
      ...(waitedMs > 0 ? [part('waited', { ms: waitedMs })] : []),
      part('steps', { count }),
      ...callParts(report),
    ]),
  ]
}

function renderCallCount({ calls: { ran, notRun } }: RunReport): string {
  if (ran + notRun === 0) return ''
  return `, ${toCount(ran, 'call')}${notRun > 0 ? ` (${notRun} more not run)` : ''}`
}

function callParts({ calls: { ran, notRun } }: RunReport): readonly ExplainPart[] {
  if (ran + notRun === 0) return []
  const not = notRun > 0 ? [part('not-run', { number: notRun })] : []
  return [part('calls', { number: ran }), ...not]
}

function renderCost({ cost }: RunReport): readonly ReportLine[] {
  const { calls, total, models, subAgents } = cost
  if (calls === 0) return [fact(['Nothing: no model call was paid for.', part('nothing')])]
  const guessed = total.estimated ? ', partly guessed because a reply broke off' : ''
  return [
    fact([
      `${toCost(total)}, ${toCount(calls, 'model call')}, ${toTokens(total)}${guessed}`,
      ...costParts(total, calls),
      ...(total.estimated ? [part('estimated')] : []),
    ]),
    ...(models.length > 1
      ? models.map(({ model, calls: own, usage }) =>
          fact(
            [
              `${model}: ${toCost(usage)}, ${toCount(own, 'call')}, ${toTokens(usage)}`,
              textPart(model),
              ...costParts(usage, own),
            ],
            1,
          ),
        )
      : []),
    ...subAgents.map(({ agent, runId, calls: own, usage }) =>
      fact(
        [
          `of which ${agent} (${runId}): ${toCost(usage)}, ${toCount(own, 'call')}, ${toTokens(usage)}`,
          part('of-which', { agent }),
          ...costParts(usage, own),
        ],
        1,
      ),
    ),
  ]
}

const costParts = (usage: Usage, number: number): readonly ExplainPart[] => [
  part('cost', { charged: usage.chargedUsd, estimated: usage.estimatedUsd }),
  part('model-calls', { number }),
  tokensPart(usage),
]

/** Why it ended, or what it waits for. */
function endingParts({ status, stopped: { outcome, waitsFor } }: RunReport): readonly ExplainPart[] {
  if (waitsFor) return [part(waitsFor.kind === 'approval' ? 'asking' : 'connecting')]
  const first = part('status', { status })
  switch (outcome?.type) {
    case 'done':
      return outcome.cut ? [first, part('cut')] : [first]
    case 'failed':
      return [first, failurePart('failure', outcome.failure, { of: 'model' })]
    case 'halted':
      return outcome.failure ? [first, failurePart('failure', outcome.failure)] : [first]
    case 'capped': {
      const more = outcome.resumeToken === undefined ? [] : [part('can-continue')]
      return [first, limitPart(outcome.cap), ...more]
    }
    case 'needs-input':
    case 'aborted':
    case undefined:
      return [first]
  }
}

const limitPart = ({ kind, limit }: Cap): ExplainPart => part('limit', { kind, limit })

function renderPrefixBreaks({ prefixBreaks, runId }: RunReport): readonly ReportLine[] {
  if (prefixBreaks.length === 0)
    return [fact(['Nothing: every request extended the one before it.', part('kept-all')])]
  return prefixBreaks.map(({ agent, iteration, field, reason, ...where }) => {
    const isOwn = where.runId === runId
    return fact([
      `Step ${iteration}${isOwn ? '' : ` of ${agent}`}: the ${field} changed. ${toOneLine(reason)}`,
      ...(isOwn ? [] : [part('agent', { agent })]),
      part('step', { number: iteration }),
      part('prefix', { field }),
    ])
  })
}

function renderFailures({ failures }: RunReport): readonly ReportLine[] {
  if (failures.length === 0) return [fact(['Nothing.', part('nothing')])]
  return failures.map(({ class: name, count, where, cause, next }) => {
    const places = where.join(', ')
    return fact([
      `${name}, ${count === 1 ? 'once' : `${count} times`} (${places}): ${cause} ${next}`,
      part('failure-class', { class: name, number: count }),
      textPart(places),
    ])
  })
}

const heading = (
  text: string,
  section: 'asked' | 'who' | 'happened' | 'cost' | 'ending' | 'prefix' | 'failures',
): ReportLine => toLine('heading', [text, part(`section-${section}`)])
const fact = (said: Said, depth = 0): ReportLine => toLine('fact', said, { depth })

const orElse = (lines: readonly ReportLine[], said: Said): readonly ReportLine[] =>
  lines.length > 0 ? lines : [fact(said)]

const toUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
