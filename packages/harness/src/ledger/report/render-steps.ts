import type { ExplainPart } from '@capstan/protocol'
import { toDuration, toNumber, toTokens } from './quantities.ts'
import type { ReportLine, Said } from './report-line.ts'
import { failurePart, part, textPart, toLine, toOneLine, tokensPart, toQuote } from './report-line.ts'
import type { ReportApproval, ReportCall, ReportMessage, ReportStep, RunReport } from './run-report.ts'

/** The steps of a run, those of its sub-agents below the calls they work for. */
export function renderSteps({ steps }: RunReport, depth: number): readonly ReportLine[] {
  return steps.flatMap((step) => renderStep(step, depth))
}

function renderStep(step: ReportStep, depth: number): readonly ReportLine[] {
  if (step.type === 'call') return renderCall(step, depth)
  if (step.type === 'iteration') {
    const { iteration: number, again, model, usage, durationMs: ms } = step
    const begun = `Step ${number}${again ? ' again' : ''}`
    const parts = [
      part('step', { number }),
      ...(again ? [part('again')] : []),
      ...(usage ? [textPart(model ?? ''), tokensPart(usage)] : []),
    ]
    return [
      toLine('step', [usage ? `${begun}: ${model}, ${toTokens(usage)}` : begun, ...parts], { depth, ms }),
    ]
  }
  const ms = step.type === 'resume' ? step.pausedMs : undefined
  return [toLine(step.type === 'park' ? 'waiting' : 'note', toNote(step), { depth, ms })]
}

function toNote(step: Exclude<ReportStep, { readonly type: 'call' | 'iteration' }>): Said {
  switch (step.type) {
    case 'said': {
      const text = toQuote(step.text)
      return step.cut
        ? [`Said, then was cut off: ${text}`, part('said-cut', { text })]
        : [`Said: ${text}`, part('said', { text })]
    }
    case 'retry': {
      const { failure, attempt, delayMs: ms } = step
      const text = `${failure.cause} Attempt ${attempt + 1} came after ${toDuration(ms)}.`
      return [text, failurePart('retry', failure, { ms })]
    }
    case 'notice': {
      const { text, fact } = step
      const values = { text, ...(fact && { kind: fact.kind, name: fact.name }) }
      return [`Notice: ${toOneLine(text)}`, part('notice', values)]
    }
    case 'nudge': {
      const { guard, text } = step
      return [`"${guard}" reminded the model: ${toOneLine(text)}`, part('nudge', { guard, text })]
    }
    case 'message':
      return renderMessage(step)
    case 'compaction': {
      const { tokensBefore: before, tokensAfter: after } = step
      const how = step.how === 'summary' ? 'a summary by the model' : 'a digest'
      const sizes = `${toNumber(before)} to ${toNumber(after)} tokens`
      const text = `The conversation was too long: ${how} took the place of its older part, ${sizes}.`
      return [text, part('compaction', { before, after })]
    }
    case 'prefix-break': {
      const { field, reason } = step
      return [
        `The prompt cache was lost: ${field} changed (${toOneLine(reason)}).`,
        part('prefix', { field }),
      ]
    }
    case 'stale':
      return [
        `The list of apps could not be refreshed: ${toOneLine(step.reason)}. It went on with what was known.`,
        part('stale'),
      ]
    case 'park':
      return step.waitsFor.kind === 'approval'
        ? ['Parked until somebody answers', part('asking')]
        : ['Parked until somebody signs in', part('connecting')]
    case 'resume':
      return step.after === 'wait'
        ? ['Resumed after the wait', part('resumed')]
        : ['The process had ended; the run was resumed', part('restarted')]
  }
}

function renderCall(call: ReportCall, depth: number): readonly ReportLine[] {
  const { status, durationMs, failure, approvals, runs } = call
  const isOver = status === 'ok' || status === 'failed' || status === 'stopped'
  return [
    toLine(status, nameCall(call, isOver), { depth, ms: isOver ? durationMs : undefined }),
    ...approvals.map((approval) => toLine('reason', renderApproval(approval), { depth })),
    ...runs.flatMap((run) => renderChild(run, depth + 1)),
    ...(failure
      ? [
          toLine('reason', [`Why: ${failure.cause}`, failurePart('failure', failure)], { depth }),
          // The part above says both.
          toLine('reason', [`What to do next: ${failure.next}`], { depth }),
        ]
      : []),
  ]
}

function nameCall({ label, tool, detail, status, attempts }: ReportCall, isOver: boolean): Said {
  const name = label === tool ? tool : `${label} (${tool})`
  const isNotRun = attempts === 0 && isOver
  const times = attempts > 1 ? `, begun ${attempts} times` : isNotRun ? ', not run' : ''
  const isUnknown = status === 'unknown'
  const text = `${name}${times}${detail === undefined ? '' : `: ${toOneLine(detail)}`}${isUnknown ? ' (it is unknown whether it happened)' : ''}`
  return [
    text,
    textPart(name),
    ...(attempts > 1 ? [part('begun', { number: attempts })] : []),
    ...(isNotRun ? [part('call-not-run')] : []),
    ...(detail === undefined ? [] : [textPart(toOneLine(detail))]),
    ...(isUnknown ? [part('unknown')] : []),
  ]
}

function renderChild(run: RunReport, depth: number): readonly ReportLine[] {
  const { agent, model, asked, stopped, durationMs: ms, status } = run
  const quote = toQuote(asked)
  const begun = [part('agent', { agent }), textPart(model), textPart(quote)]
  return [
    toLine('step', [`Sub-agent ${agent} on ${model}: ${quote}`, ...begun], { depth, ms }),
    ...renderSteps(run, depth),
    toLine('note', [`${agent}: ${stopped.sentence}`, part('agent', { agent }), part('status', { status })], {
      depth,
    }),
  ]
}

function renderApproval({ decision, waitedMs: ms, id }: ReportApproval): Said {
  if (decision === undefined) return [`Asked for a yes; no answer yet (${id})`, part('asking')]
  const waited = ms === undefined ? '' : ` after ${toDuration(ms)}`
  const after: readonly ExplainPart[] = ms === undefined ? [] : [part('after', { ms })]
  return [`Asked for a yes, and ${ANSWERS[decision]}${waited}`, part('answer', { decision }), ...after]
}

const ANSWERS: Readonly<Record<NonNullable<ReportApproval['decision']>, string>> = {
  'allow-once': 'got it',
  'allow-thread': 'got it for this conversation',
  'allow-hour': 'got it for one hour',
  'allow-always': 'got it for always',
  deny: 'got a no',
  expired: 'nobody answered in time',
  withdrawn: 'the turn ended before an answer',
}

function renderMessage({ text, delivery, refused, waitedMs }: ReportMessage): Said {
  const words = `You added ${toQuote(text)}`
  const added = part('message', { text: toQuote(text) })
  const later = waitedMs !== undefined && waitedMs >= 1000 ? ` ${toDuration(waitedMs)} later` : ''
  switch (delivery) {
    case 'delivered':
      return [`${words}; the model received it${later}.`, added, part('delivered')]
    case 'next-turn':
      return [`${words}; it became the next turn.`, added, part('next-turn')]
    case 'refused':
      return [`${words}; it was not delivered: ${refused}.`, added, part('refused')]
    case 'waiting':
      return [`${words}; it has not been delivered yet.`, added, part('not-delivered')]
  }
}
