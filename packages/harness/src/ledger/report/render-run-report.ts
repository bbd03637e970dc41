import { cutText } from '../../text/cut-text.ts'
import { toCost, toCount, toDuration, toNumber, toTokens } from './quantities.ts'
import type { RunReport, ReportApproval, ReportCall, ReportMessage, ReportStep } from './run-report.ts'

/** One line of a rendered report, without colours or marks; the screen adds those. */
export interface ReportLine {
  readonly kind: 'heading' | 'fact' | 'step' | 'note' | 'reason' | ReportCall['status']
  /** How many runs below the reported one: a sub-agent's lines have depth 1. */
  readonly depth: number
  readonly text: string
  /** How long it took. */
  readonly time?: string
}

/** How a report is rendered. */
export interface RenderReportOptions {
  /** Formats a point in time. Default: UTC. */
  readonly toTime?: (at: number) => string
}

const MAX_QUOTE_CHARS = 200

/** Renders a report as text lines: the question, the steps, the cost, the ending, prefix breaks and failures. */
export function renderRunReport(
  report: RunReport,
  { toTime = toUtc }: RenderReportOptions = {},
): readonly ReportLine[] {
  return [
    ...renderOpening(report, toTime),
    heading('What happened'),
    ...orElse(renderSteps(report, 0), 'Nothing yet.'),
    heading('What it cost'),
    ...renderCost(report),
    heading(report.endedAt === undefined ? 'What it waits for' : 'Why it stopped'),
    fact(report.stopped.sentence),
    heading('What broke the prompt cache'),
    ...renderPrefixBreaks(report),
    heading('What failed'),
    ...renderFailures(report),
  ]
}

function renderOpening(report: RunReport, toTime: (at: number) => string): readonly ReportLine[] {
  const { asked, agent, depth, model, origin, startedAt, endedAt, durationMs, waitedMs, iterations } = report
  const work = toDuration(durationMs - waitedMs)
  const waited = waitedMs > 0 ? `, and waited ${toDuration(waitedMs)} for a person` : ''
  const took = endedAt === undefined ? `${work} so far` : `took ${work}`
  return [
    heading('What was asked'),
    fact(asked.trim() === '' ? 'Nothing: it continued where it had paused.' : toOneLine(asked)),
    heading('Who did it'),
    fact(
      `${depth === 0 ? 'The assistant' : `The sub-agent ${agent}`} on ${model}, asked from ${origin === 'unlabelled' ? 'an unlabelled place' : origin}`,
    ),
    fact(`${toTime(startedAt)}, ${took}${waited}, ${toCount(iterations, 'step')}${renderCallCount(report)}`),
  ]
}

function renderCallCount({ calls: { ran, notRun } }: RunReport): string {
  if (ran + notRun === 0) return ''
  return `, ${toCount(ran, 'call')}${notRun > 0 ? ` (${notRun} more not run)` : ''}`
}

function renderSteps({ steps }: RunReport, depth: number): readonly ReportLine[] {
  return steps.flatMap((step) => renderStep(step, depth))
}

function renderStep(step: ReportStep, depth: number): readonly ReportLine[] {
  const line = (kind: ReportLine['kind'], text: string, ms?: number): ReportLine[] => [
    { kind, depth, text, ...(ms === undefined ? undefined : { time: toDuration(ms) }) },
  ]
  switch (step.type) {
    case 'iteration': {
      const { iteration, again, model, usage, durationMs } = step
      const begun = `Step ${iteration}${again ? ' again' : ''}`
      return line('step', usage ? `${begun}: ${model}, ${toTokens(usage)}` : begun, durationMs)
    }
    case 'said':
      return line('note', `${step.cut ? 'Said, then was cut off' : 'Said'}: ${toQuote(step.text)}`)
    case 'call':
      return renderCall(step, depth)
    case 'retry': {
      const { failure, attempt, delayMs } = step
      return line('note', `${failure.cause} Attempt ${attempt + 1} came after ${toDuration(delayMs)}.`)
    }
    case 'notice':
      return line('note', `Notice: ${toOneLine(step.text)}`)
    case 'nudge':
      return line('note', `"${step.guard}" reminded the model: ${toOneLine(step.text)}`)
    case 'message':
      return line('note', renderMessage(step))
    case 'compaction': {
      const how = step.how === 'summary' ? 'a summary by the model' : 'a digest'
      const sizes = `${toNumber(step.tokensBefore)} to ${toNumber(step.tokensAfter)} tokens`
      return line('note', `The conversation was too long: ${how} took the place of its older part, ${sizes}.`)
    }
    case 'prefix-break':
      return line('note', `The prompt cache was lost: ${step.field} changed (${toOneLine(step.reason)}).`)
    case 'stale':
      return line(
        'note',
        `The list of apps could not be refreshed: ${toOneLine(step.reason)}. It went on with what was known.`,
      )
    case 'park':
      return line(
        'waiting',
        `Parked until ${step.waitsFor.kind === 'approval' ? 'somebody answers' : 'somebody signs in'}`,
      )
    case 'resume':
      return step.after === 'wait'
        ? line('note', 'Resumed after the wait', step.pausedMs)
        : line('note', 'The process had ended; the run was resumed', step.pausedMs)
  }
}

function renderCall(call: ReportCall, depth: number): readonly ReportLine[] {
  const { label, detail, tool, status, durationMs, attempts, failure, approvals, runs } = call
  const name = label === tool ? tool : `${label} (${tool})`
  const isOver = status === 'ok' || status === 'failed' || status === 'stopped'
  const times = attempts > 1 ? `, begun ${attempts} times` : attempts === 0 && isOver ? ', not run' : ''
  const unknown = status === 'unknown' ? ' (it is unknown whether it happened)' : ''
  return [
    {
      kind: status,
      depth,
      text: `${name}${times}${detail === undefined ? '' : `: ${toOneLine(detail)}`}${unknown}`,
      ...(isOver && durationMs !== undefined ? { time: toDuration(durationMs) } : undefined),
    },
    ...approvals.map((approval): ReportLine => ({ kind: 'reason', depth, text: renderApproval(approval) })),
    ...runs.flatMap((run) => renderChild(run, depth + 1)),
    ...(failure
      ? [
          { kind: 'reason', depth, text: `Why: ${failure.cause}` } as const,
          { kind: 'reason', depth, text: `What to do next: ${failure.next}` } as const,
        ]
      : []),
  ]
}

function renderChild(run: RunReport, depth: number): readonly ReportLine[] {
  const { agent, model, asked, stopped, durationMs } = run
  return [
    {
      kind: 'step',
      depth,
      text: `Sub-agent ${agent} on ${model}: ${toQuote(asked)}`,
      time: toDuration(durationMs),
    },
    ...renderSteps(run, depth),
    { kind: 'note', depth, text: `${agent}: ${stopped.sentence}` },
  ]
}

function renderApproval({ decision, waitedMs, id }: ReportApproval): string {
  const waited = waitedMs === undefined ? '' : ` after ${toDuration(waitedMs)}`
  switch (decision) {
    case 'allow-once':
      return `Asked for a yes, and got it${waited}`
    case 'allow-thread':
      return `Asked for a yes, and got it for this conversation${waited}`
    case 'allow-hour':
      return `Asked for a yes, and got it for one hour${waited}`
    case 'allow-always':
      return `Asked for a yes, and got it for always${waited}`
    case 'deny':
      return `Asked for a yes, and got a no${waited}`
    case 'expired':
      return `Asked for a yes, and nobody answered in time${waited}`
    case 'withdrawn':
      return `Asked for a yes, and the turn ended before an answer${waited}`
    case undefined:
      return `Asked for a yes; no answer yet (${id})`
  }
}

function renderMessage({ text, delivery, refused, waitedMs }: ReportMessage): string {
  const words = `You added ${toQuote(text)}`
  const later = waitedMs !== undefined && waitedMs >= 1000 ? ` ${toDuration(waitedMs)} later` : ''
  switch (delivery) {
    case 'delivered':
      return `${words}; the model received it${later}.`
    case 'next-turn':
      return `${words}; it became the next turn.`
    case 'refused':
      return `${words}; it was not delivered: ${refused}.`
    case 'waiting':
      return `${words}; it has not been delivered yet.`
  }
}

function renderCost({ cost }: RunReport): readonly ReportLine[] {
  const { calls, total, models, subAgents } = cost
  if (calls === 0) return [fact('Nothing: no model call was paid for.')]
  const guessed = total.estimated ? ', partly guessed because a reply broke off' : ''
  return [
    fact(`${toCost(total)}, ${toCount(calls, 'model call')}, ${toTokens(total)}${guessed}`),
    ...(models.length > 1
      ? models.map((row) =>
          fact(
            `${row.model}: ${toCost(row.usage)}, ${toCount(row.calls, 'call')}, ${toTokens(row.usage)}`,
            1,
          ),
        )
      : []),
    ...subAgents.map(({ agent, runId, calls: own, usage }) =>
      fact(`of which ${agent} (${runId}): ${toCost(usage)}, ${toCount(own, 'call')}, ${toTokens(usage)}`, 1),
    ),
  ]
}

function renderPrefixBreaks({ prefixBreaks, runId }: RunReport): readonly ReportLine[] {
  if (prefixBreaks.length === 0) return [fact('Nothing: every request extended the one before it.')]
  return prefixBreaks.map(({ agent, iteration, field, reason, ...where }) => {
    const who = where.runId === runId ? '' : ` of ${agent}`
    return fact(`Step ${iteration}${who}: the ${field} changed. ${toOneLine(reason)}`)
  })
}

function renderFailures({ failures }: RunReport): readonly ReportLine[] {
  if (failures.length === 0) return [fact('Nothing.')]
  return failures.flatMap(({ class: name, count, where, cause, next }) => [
    fact(`${name}, ${count === 1 ? 'once' : `${count} times`} (${where.join(', ')}): ${cause} ${next}`),
  ])
}

const heading = (text: string): ReportLine => ({ kind: 'heading', depth: 0, text })
const fact = (text: string, depth = 0): ReportLine => ({ kind: 'fact', depth, text })

function orElse(lines: readonly ReportLine[], words: string): readonly ReportLine[] {
  return lines.length > 0 ? lines : [fact(words)]
}

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function toQuote(text: string): string {
  const line = toOneLine(text)
  const cut = cutText(line, MAX_QUOTE_CHARS)
  return `"${cut}${cut.length < line.length ? '…' : ''}"`
}

const toUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
