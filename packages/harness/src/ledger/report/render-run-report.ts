import { cutText } from '../../text/cut-text.ts'
import { toCost, toCount, toDuration, toNumber, toTokens } from './quantities.ts'
import type { RunReport, ReportApproval, ReportCall, ReportMessage, ReportStep } from './run-report.ts'

/** One line of a told story: words without colours and marks, for whoever draws it. */
export interface ReportLine {
  readonly kind: 'heading' | 'fact' | 'step' | 'note' | 'reason' | ReportCall['status']
  /** How far below the run it belongs to. */
  readonly depth: number
  readonly text: string
  /** How long it took. */
  readonly time?: string
}

export interface RenderReportOptions {
  /** Points in time, as the reader wants them. Default: UTC. */
  readonly toTime?: (at: number) => string
}

const MAX_QUOTE_CHARS = 200

/** The whole story in plain words, in the order a person asks: what, how, for how much, why it stopped. */
export function renderRunReport(
  report: RunReport,
  { toTime = toUtc }: RenderReportOptions = {},
): readonly ReportLine[] {
  return [
    ...tellOpening(report, toTime),
    heading('What happened'),
    ...orElse(tellSteps(report, 0), 'Nothing yet.'),
    heading('What it cost'),
    ...tellCost(report),
    heading(report.endedAt === undefined ? 'What it waits for' : 'Why it stopped'),
    fact(report.stopped.sentence),
    heading('What broke the prompt cache'),
    ...tellPrefixBreaks(report),
    heading('What failed'),
    ...tellFailures(report),
  ]
}

function tellOpening(report: RunReport, toTime: (at: number) => string): readonly ReportLine[] {
  const { asked, agent, depth, model, origin, startedAt, endedAt, durationMs, parkedMs, iterations } = report
  const waited = parkedMs > 0 ? `, ${toDuration(parkedMs)} of it parked` : ''
  const took = endedAt === undefined ? `${toDuration(durationMs)} so far` : `took ${toDuration(durationMs)}`
  return [
    heading('What was asked'),
    fact(asked.trim() === '' ? 'Nothing: it went on from where it had paused.' : toLine(asked)),
    heading('Who did it'),
    fact(
      `${depth === 0 ? 'The assistant' : `The sub-agent ${agent}`} on ${model}, asked from ${origin === 'unlabelled' ? 'an unlabelled place' : origin}`,
    ),
    fact(`${toTime(startedAt)}, ${took}${waited}, ${toCount(iterations, 'step')}`),
  ]
}

function tellSteps({ steps }: RunReport, depth: number): readonly ReportLine[] {
  return steps.flatMap((step) => tellStep(step, depth))
}

function tellStep(step: ReportStep, depth: number): readonly ReportLine[] {
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
      return line('note', `${step.cut ? 'Began to say, and was cut off' : 'Said'}: ${toQuote(step.text)}`)
    case 'call':
      return tellCall(step, depth)
    case 'retry': {
      const { failure, attempt, delayMs } = step
      return line('note', `${failure.cause} Attempt ${attempt + 1} came after ${toDuration(delayMs)}.`)
    }
    case 'notice':
      return line('note', `Notice: ${toLine(step.text)}`)
    case 'nudge':
      return line('note', `"${step.guard}" reminded the model: ${toLine(step.text)}`)
    case 'message':
      return line('note', tellMessage(step))
    case 'compaction': {
      const how = step.how === 'summary' ? 'a summary by the model' : 'a digest'
      const sizes = `${toNumber(step.tokensBefore)} to ${toNumber(step.tokensAfter)} tokens`
      return line('note', `The conversation was too long: ${how} took the place of its older part, ${sizes}.`)
    }
    case 'prefix-break':
      return line('note', `The prompt cache was lost: ${step.field} changed (${toLine(step.reason)}).`)
    case 'stale':
      return line(
        'note',
        `The list of apps could not be refreshed: ${toLine(step.reason)}. It went on with what was known.`,
      )
    case 'park':
      return line(
        'waiting',
        `Parked until ${step.waitsFor.kind === 'approval' ? 'somebody answers' : 'somebody signs in'}`,
      )
    case 'resume':
      return step.after === 'wait'
        ? line('note', 'Went on when the wait was over', step.pausedMs)
        : line('note', 'The process had ended; it was taken up again', step.pausedMs)
  }
}

function tellCall(call: ReportCall, depth: number): readonly ReportLine[] {
  const { label, detail, tool, status, durationMs, attempts, failure, approvals, runs } = call
  const name = label === tool ? tool : `${label} (${tool})`
  const times = attempts > 1 ? `, begun ${attempts} times` : ''
  const unknown = status === 'unknown' ? ' (nobody knows whether it happened)' : ''
  const isOver = status === 'ok' || status === 'failed' || status === 'stopped'
  return [
    {
      kind: status,
      depth,
      text: `${name}${times}${detail === undefined ? '' : `: ${toLine(detail)}`}${unknown}`,
      ...(isOver && durationMs !== undefined ? { time: toDuration(durationMs) } : undefined),
    },
    ...approvals.map((approval): ReportLine => ({ kind: 'reason', depth, text: tellApproval(approval) })),
    ...runs.flatMap((run) => tellChild(run, depth + 1)),
    ...(failure
      ? [
          { kind: 'reason', depth, text: `Why: ${failure.cause}` } as const,
          { kind: 'reason', depth, text: `What to do next: ${failure.next}` } as const,
        ]
      : []),
  ]
}

function tellChild(run: RunReport, depth: number): readonly ReportLine[] {
  const { agent, model, asked, stopped, durationMs } = run
  return [
    {
      kind: 'step',
      depth,
      text: `Sub-agent ${agent} on ${model}: ${toQuote(asked)}`,
      time: toDuration(durationMs),
    },
    ...tellSteps(run, depth),
    { kind: 'note', depth, text: `${agent}: ${stopped.sentence}` },
  ]
}

function tellApproval({ decision, waitedMs, id }: ReportApproval): string {
  const waited = waitedMs === undefined ? '' : ` after ${toDuration(waitedMs)}`
  switch (decision) {
    case 'allow-once':
      return `Asked for a yes, and got it${waited}`
    case 'allow-always':
      return `Asked for a yes, and got it for always${waited}`
    case 'deny':
      return `Asked for a yes, and got a no${waited}`
    case 'expired':
      return `Asked for a yes, and nobody answered in time${waited}`
    case undefined:
      return `Asked for a yes; no answer yet (${id})`
  }
}

function tellMessage({ text, delivery, refused, waitedMs }: ReportMessage): string {
  const words = `You added ${toQuote(text)}`
  const later = waitedMs !== undefined && waitedMs >= 1000 ? ` ${toDuration(waitedMs)} later` : ''
  switch (delivery) {
    case 'delivered':
      return `${words}; the model was told${later}.`
    case 'next-turn':
      return `${words}; it became the next turn.`
    case 'refused':
      return `${words}; it was not delivered: ${refused}.`
    case 'waiting':
      return `${words}; it has not been delivered yet.`
  }
}

function tellCost({ cost }: RunReport): readonly ReportLine[] {
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

function tellPrefixBreaks({ prefixBreaks, runId }: RunReport): readonly ReportLine[] {
  if (prefixBreaks.length === 0) return [fact('Nothing did: every request only added to the one before it.')]
  return prefixBreaks.map(({ agent, iteration, field, reason, ...where }) => {
    const who = where.runId === runId ? '' : ` of ${agent}`
    return fact(`Step ${iteration}${who}: the ${field} changed. ${toLine(reason)}`)
  })
}

function tellFailures({ failures }: RunReport): readonly ReportLine[] {
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

const toLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function toQuote(text: string): string {
  const line = toLine(text)
  const cut = cutText(line, MAX_QUOTE_CHARS)
  return `"${cut}${cut.length < line.length ? '…' : ''}"`
}

const toUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
