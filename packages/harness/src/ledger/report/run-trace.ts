import type { CallId, Failure, RunId, TurnEvent, TurnOutcome, UsageRow, WaitsFor } from '@capstan/protocol'
import { NO_USAGE, sumUsage } from '@capstan/protocol'
import type { RecordOf, RunStart } from '../../ports/ledger.ts'
import type { AssistantMessage } from '../../turn/message/message.ts'
import { callsOf, textOf } from '../../turn/message/message.ts'
import type { ReportApproval, ReportCall, ReportIteration, ReportMessage, ReportStep } from './run-report.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { readonly type: Type }>
type At<T> = T & { readonly at: number }

/** A call while its records are collected. */
export interface CallTrace extends At<
  Mutable<Omit<ReportCall, 'approvals' | 'runs' | 'status' | 'attempts' | 'type'>>
> {
  readonly type: 'call'
  attempts: number
  /** Its latest start is among the attempts: it was neither refused nor does it wait for a person. */
  isCounted: boolean
  ok?: boolean
  isIntended: boolean
  /** It has asked the user to sign in to an app. */
  asksSignIn: boolean
  readonly approvals: Mutable<ReportApproval>[]
  readonly children: RunTrace[]
}

/** A step while its records are collected. */
export type StepTrace = CallTrace | Exclude<ReportStep, { readonly type: 'call' }>

/** One run, collected record by record. */
export class RunTrace {
  readonly start: RunStart
  readonly startedAt: number
  readonly parent: RunTrace | undefined
  readonly steps: StepTrace[] = []
  readonly usage = new Map<string, UsageRow>()
  readonly #calls = new Map<CallId, CallTrace>()
  readonly #arguments = new Map<CallId, unknown>()
  #lastAt: number
  endedAt: number | undefined
  outcome: TurnOutcome | undefined
  parked: { readonly at: number; readonly waitsFor: WaitsFor } | undefined
  parkedMs = 0
  iterations = 0

  constructor(start: RunStart, at: number, parent: RunTrace | undefined) {
    this.start = start
    this.startedAt = at
    this.parent = parent
    this.#lastAt = at
    const call = start.parent && parent?.call(start.parent.callId, at)
    call?.children.push(this)
  }

  get lastAt(): number {
    return this.#lastAt
  }

  get isOver(): boolean {
    return this.outcome !== undefined
  }

  /** Notes activity of this run, and so of the runs above it. */
  touch(at: number): void {
    this.#lastAt = Math.max(this.#lastAt, at)
    this.parent?.touch(at)
  }

  /** The call with this id; adds a step for it when it is new. */
  call(callId: CallId, at: number, tool = ''): CallTrace {
    const known = this.#calls.get(callId)
    if (known) {
      if (known.tool === '' && tool !== '') {
        known.tool = tool
        known.label = tool
      }
      return known
    }
    const args = this.#arguments.get(callId)
    const call: CallTrace = {
      type: 'call',
      at,
      callId,
      tool,
      label: tool,
      attempts: 0,
      isCounted: false,
      isIntended: false,
      asksSignIn: false,
      approvals: [],
      children: [],
      ...(args === undefined ? undefined : { arguments: args }),
    }
    this.#calls.set(callId, call)
    this.steps.push(call)
    return call
  }

  resume(at: number): void {
    const pausedMs = Math.max(0, at - (this.parked?.at ?? this.lastAt))
    const after = this.parked ? 'wait' : 'interruption'
    if (this.parked) this.parkedMs += pausedMs
    this.parked = undefined
    this.steps.push({ type: 'resume', at, after, pausedMs })
  }

  park({ at, waitsFor, upTo }: RecordOf<'run-park'>): void {
    this.steps.push({ type: 'park', at, waitsFor })
    this.markParked({ at, waitsFor }, upTo)
  }

  /** Marks this run and the runs above it as parked. */
  markParked(parked: NonNullable<RunTrace['parked']>, upTo: RunId | undefined): void {
    this.parked = parked
    // They are announced again when the run resumes.
    for (const call of this.#calls.values()) if (call.ok === undefined) uncount(call)
    if (this.start.runId !== upTo) this.parent?.markParked(parked, upTo)
  }

  addReply(at: number, message: AssistantMessage): void {
    for (const { id, arguments: args } of callsOf(message)) this.#arguments.set(id, args)
    const text = textOf(message)
    if (text.trim() === '' && !message.cut) return
    this.steps.push({ type: 'said', at, text, ...(message.cut ? { cut: true } : undefined) })
  }

  pay({ model, usage }: RecordOf<'usage'>): void {
    const row = this.usage.get(model) ?? { model, calls: 0, usage: NO_USAGE }
    this.usage.set(model, { model, calls: row.calls + 1, usage: sumUsage(row.usage, usage) })
  }

  endCall({ at, result, effect, audit }: RecordOf<'call-result'>): void {
    const call = this.call(result.callId, at, result.tool)
    call.ok = result.ok
    call.durationMs = result.durationMs
    call.outputBytes = result.outputBytes
    if (effect) call.effect = effect
    if (result.failure) call.failure = result.failure
    if (audit) call.decision = audit.decision
    if (audit?.decision === 'refused' || audit?.decision === 'invalid') uncount(call)
  }

  addMessage(at: number, message: ReportMessage): void {
    this.steps.push({ at, ...message })
  }

  addEvent(event: TurnEvent): void {
    const { at } = event
    switch (event.type) {
      case 'iteration-start':
        return this.#startIteration(event)
      case 'tool-start':
        return this.#startCall(event)
      case 'tool-end':
        return this.#endCall(event)
      case 'approval-request':
        return this.ask({ ...event, id: event.approvalId, createdAt: at })
      case 'approval-answer':
        return this.#answer(event)
      case 'connection-request':
        this.call(event.callId, at).asksSignIn = true
        return
      case 'usage-update':
        return this.#countIteration(event)
      case 'model-retry': {
        const { type: _, iteration, model, attempt, delayMs, failure } = event
        this.steps.push({ type: 'retry', at, iteration, model, attempt, delayMs, failure })
        return
      }
      case 'notice-add': {
        const { text, fact } = event
        this.steps.push({ type: 'notice', at, text, ...(fact && { fact }) })
        return
      }
      case 'guard-nudge':
        this.steps.push({ type: 'nudge', at, guard: event.guard, text: event.text })
        return
      case 'history-compact': {
        const { tokensBefore, tokensAfter, how } = event
        this.steps.push({ type: 'compaction', at, tokensBefore, tokensAfter, how })
        return
      }
      case 'prefix-break': {
        const { iteration, field, reason } = event
        this.steps.push({ type: 'prefix-break', at, iteration, field, reason })
        return
      }
      case 'surface-stale':
        this.steps.push({ type: 'stale', at, reason: event.reason })
        return
      case 'turn-start':
      case 'turn-park':
      case 'turn-resume':
      case 'turn-end': // their records say the same
      case 'message-deliver': // `addDelivered` also knows when it was sent
      case 'text-delta':
      case 'reasoning-delta':
      case 'model-wait': // a retry says it when it lasts
      case 'tool-args-delta':
        return
    }
  }

  ask(
    request: Pick<
      RecordOf<'approval-open'>['request'],
      'id' | 'callId' | 'tool' | 'label' | 'createdAt' | 'expiresAt' | 'arguments'
    >,
  ): void {
    const call = this.call(request.callId, request.createdAt, request.tool)
    call.label = request.label
    call.arguments = request.arguments
    if (call.approvals.some(({ id }) => id === request.id)) return
    uncount(call)
    call.approvals.push({ id: request.id, askedAt: request.createdAt, expiresAt: request.expiresAt })
  }

  #startIteration({ at, iteration }: EventOf<'iteration-start'>): void {
    const again = iteration <= this.iterations
    this.iterations = Math.max(this.iterations, iteration)
    this.steps.push({ type: 'iteration', at, iteration, ...(again ? { again: true } : undefined) })
  }

  #countIteration({ iteration, model, call: usage, durationMs }: EventOf<'usage-update'>): void {
    const index = this.steps.findLastIndex(
      (step) => step.type === 'iteration' && step.iteration === iteration,
    )
    const step = this.steps[index] as At<ReportIteration> | undefined
    if (!step) return
    // The summary of a long history is a second model call in the same iteration.
    const total = step.usage ? sumUsage(step.usage, usage) : usage
    this.steps[index] = { ...step, model, usage: total, durationMs: (step.durationMs ?? 0) + durationMs }
  }

  #startCall({ at, callId, tool, label, detail, arguments: args }: EventOf<'tool-start'>): void {
    const call = this.call(callId, at, tool)
    // A call announced again after its approval had not started before.
    if (call.approvals.every(({ decision }) => decision !== undefined)) {
      call.isCounted = true
      call.attempts++
    }
    call.label = label
    call.arguments = args
    if (detail !== undefined) call.detail = detail
  }

  #endCall({ at, callId, tool, ok, durationMs, outputBytes, failure }: EventOf<'tool-end'>): void {
    const call = this.call(callId, at, tool)
    call.ok = ok
    call.durationMs = durationMs
    call.outputBytes = outputBytes
    if (failure) call.failure = failure
  }

  #answer({ at, approvalId, decision }: EventOf<'approval-answer'>): void {
    for (const call of this.#calls.values()) {
      const approval = call.approvals.find(({ id }) => id === approvalId)
      if (!approval) continue
      approval.decision = decision
      approval.waitedMs = at - approval.askedAt
      if (decision === 'deny' || decision === 'expired' || call.isCounted) continue
      call.isCounted = true
      call.attempts++
    }
  }
}

function uncount(call: CallTrace): void {
  if (call.isCounted) call.attempts--
  call.isCounted = false
}

/** A failure and the tool, model or turn it came from. */
export interface FailureSeen {
  readonly failure: Failure
  readonly where: string
}
