import type { CallId, RunId, TurnEvent } from '@capstan/protocol'
import { addUsage } from './add-usage.ts'
import type {
  Addition,
  Call,
  EventOf,
  Item,
  Iteration,
  Note,
  Run,
  ThreadState,
  Turn,
  Words,
} from './thread-view.ts'
import { isOpen } from './thread-view.ts'

/**
 * Takes events into a thread. Pure: the state that was passed in never changes, and whatever an event does not touch
 * is the same object afterwards, so that a screen draws only what changed. However a list of events is cut into
 * batches, the end is the same; an event that is in it already is passed over, and so is one of a kind nobody here
 * knows. A batch costs what it touches, not what the thread holds.
 */
export function foldThread(state: ThreadState, events: readonly TurnEvent[]): ThreadState {
  const draft = new Draft(state)
  for (const event of events) draft.take(event)
  return draft.end()
}

type Open<Part> = { -readonly [Key in keyof Part]: Part[Key] }
type OpenTurn = Omit<Open<Turn>, 'runs' | 'additions'> & { runs: Map<RunId, Run>; additions: Addition[] }
type OpenRun = Omit<Open<Run>, 'iterations'> & { iterations: Iteration[] }
type OpenIteration = Omit<Open<Iteration>, 'items'> & { items: Item[] }

/** One batch at work: what it changes is copied once, and changed in place from then on. */
class Draft {
  readonly #before: ThreadState
  /** What was copied, or made, in this batch. */
  readonly #own = new WeakSet<object>()
  #lastSeq: number
  #turns: Turn[] | undefined

  constructor(state: ThreadState) {
    this.#before = state
    this.#lastSeq = state.lastSeq
  }

  end(): ThreadState {
    if (this.#lastSeq === this.#before.lastSeq) return this.#before
    return { lastSeq: this.#lastSeq, turns: this.#turns ?? this.#before.turns }
  }

  take(event: TurnEvent): void {
    if (!(event.seq > this.#lastSeq)) return
    this.#lastSeq = event.seq
    if (event.type === 'turn-start') return this.#start(event)
    const turn = this.#turnOf(event.runId)
    if (!turn) return
    this.#apply(turn, this.#runOf(turn, event.runId), event)
  }

  #apply(turn: OpenTurn, run: OpenRun, event: Exclude<TurnEvent, EventOf<'turn-start'>>): void {
    switch (event.type) {
      case 'turn-park': // the requests it waits for are shown already
        return
      case 'iteration-start':
        return this.#startIteration(run, event)
      case 'text-delta':
        return this.#say(run, event, 'text')
      case 'reasoning-delta':
        return this.#say(run, event, 'thinking')
      case 'tool-args-delta':
        return this.#writeArguments(run, event)
      case 'tool-start':
        return this.#startCall(run, event)
      case 'tool-end':
        return this.#endCall(turn, run, event)
      case 'approval-request':
        return this.#ask(turn, run, event)
      case 'approval-answer':
        return this.#answer(turn, run, event)
      case 'connection-request':
        return this.#askConnection(turn, run, event)
      case 'usage-update':
        return this.#countUsage(run, event)
      case 'model-retry':
        return this.#retry(run, event)
      case 'turn-resume':
        return this.#resume(turn, run, event)
      case 'message-deliver':
        run.carried = ''
        if (run.id === turn.runId) turn.additions = [...turn.additions, { key: event.seq, text: event.text }]
        return this.#note(run, event, { type: 'message', key: event.seq, text: event.text })
      case 'notice-add':
        return this.#note(run, event, { type: 'notice', key: event.seq, text: event.text })
      case 'guard-nudge':
        return this.#note(run, event, {
          type: 'nudge',
          key: event.seq,
          guard: event.guard,
          text: event.text,
        })
      case 'history-compact': {
        const { tokensBefore, tokensAfter } = event
        return this.#note(run, event, { type: 'compaction', key: event.seq, tokensBefore, tokensAfter })
      }
      case 'prefix-break': {
        const { field, reason } = event
        return this.#note(run, event, { type: 'prefix-break', key: event.seq, field, reason })
      }
      case 'surface-stale':
        return this.#note(run, event, { type: 'stale', key: event.seq })
      case 'turn-end':
        return this.#endRun(turn, run, event)
    }
  }

  #start(event: EventOf<'turn-start'>): void {
    const { runId, agent, depth, model, parent, text, at } = event
    const run: Run = this.#made({
      id: runId,
      agent,
      depth,
      model,
      text,
      ...(parent ? { parent } : undefined),
      startedAt: at,
      iterations: [],
      carried: '',
    })
    if (parent) return this.#startChild(run, parent)
    if (this.#turnOf(runId)) return
    const turns = this.#openTurns()
    turns.push(
      this.#made({
        key: event.seq,
        runId,
        text,
        attachments: event.attachments ?? [],
        additions: [],
        runs: new Map([[runId, run]]),
        startedAt: at,
        openAsks: 0,
        hasAsked: false,
      }),
    )
  }

  #startChild(run: Run, parent: NonNullable<Run['parent']>): void {
    const turn = this.#turnOf(parent.runId)
    if (!turn || turn.runs.has(run.id)) return
    turn.runs.set(run.id, run)
    const call = this.#call(this.#runOf(turn, parent.runId), parent.callId)
    if (call) call.children = [...call.children, run.id]
  }

  #startIteration(run: OpenRun, { iteration, maxIterations, at }: EventOf<'iteration-start'>): void {
    const last = run.iterations.at(-1)
    if (last) {
      run.carried = carriedFrom(run, last, iteration)
      this.#dropUnfinished(run, run.iterations.length - 1)
    }
    const known =
      last && last.number >= iteration ? this.#iteration(run, run.iterations.length - 1) : undefined
    if (known) known.maxIterations = maxIterations
    else run.iterations.push(this.#made({ number: iteration, maxIterations, startedAt: at, items: [] }))
  }

  #say(run: OpenRun, event: EventOf<'text-delta' | 'reasoning-delta'>, type: Words['type']): void {
    const { items } = this.#iterationFor(run, event)
    const last = items.at(-1)
    if (last?.type === type) items[items.length - 1] = { ...last, text: last.text + event.delta }
    else items.push({ type, key: event.seq, text: event.delta })
  }

  #writeArguments(run: OpenRun, event: EventOf<'tool-args-delta'>): void {
    const { callId, tool, delta } = event
    const call = this.#call(run, callId) ?? this.#addCall(run, event, { callId, tool, label: '' })
    if (call.status === 'writing') call.argumentsText += delta
  }

  /** A call that is begun again after a wait or a crash has its row already. */
  #startCall(run: OpenRun, event: EventOf<'tool-start'>): void {
    const call = this.#call(run, event.callId) ?? this.#addCall(run, event, event)
    if (call.status === 'writing') call.startedAt = event.at
    if (!isOpen(call)) return
    call.tool = event.tool
    call.label = event.label
    if (event.detail !== undefined) call.detail = event.detail
    if (event.app) call.app = event.app
    call.arguments = event.arguments
    call.argumentsText = ''
    if (call.status === 'writing') call.status = 'running'
  }

  #endCall(turn: OpenTurn, run: OpenRun, event: EventOf<'tool-end'>): void {
    const { callId, tool, ok, output, outputBytes, durationMs, failure } = event
    const call = this.#call(run, callId) ?? this.#addCall(run, event, { callId, tool, label: tool })
    if (isAsking(call)) turn.openAsks--
    call.status = ok ? 'ok' : failure?.category === 'stopped' ? 'stopped' : 'failed'
    call.output = output
    call.outputBytes = outputBytes
    call.durationMs = durationMs
    if (failure) call.failure = failure
  }

  #ask(turn: OpenTurn, run: OpenRun, event: EventOf<'approval-request'>): void {
    const { callId, tool, label, approvalId: id, expiresAt, effect = 'write', app } = event
    const call = this.#call(run, callId) ?? this.#addCall(run, event, { callId, tool, label })
    if (!isAsking(call)) turn.openAsks++
    turn.hasAsked = true
    call.status = 'asking'
    if (app) call.app = app
    call.approval = { id, label, arguments: event.arguments, effect, expiresAt }
  }

  #answer(turn: OpenTurn, run: OpenRun, { approvalId, decision }: EventOf<'approval-answer'>): void {
    const call = this.#find(run, (item) => item.approval?.id === approvalId)
    if (!call?.approval) return
    if (isAsking(call)) turn.openAsks--
    if (call.status === 'asking') call.status = 'running'
    call.approval = { ...call.approval, decision }
  }

  #askConnection(turn: OpenTurn, run: OpenRun, event: EventOf<'connection-request'>): void {
    const { callId, connectionId: id, toolkit, name } = event
    const call = this.#call(run, callId) ?? this.#addCall(run, event, { callId, tool: '', label: name })
    if (!isAsking(call)) turn.openAsks++
    turn.hasAsked = true
    call.status = 'connecting'
    call.connection = { id, toolkit, name }
  }

  #countUsage(run: OpenRun, event: EventOf<'usage-update'>): void {
    run.usage = event.total
    const iteration = this.#iterationFor(run, event)
    iteration.usage = addUsage(iteration.usage, event.call)
    iteration.modelMs = (iteration.modelMs ?? 0) + event.durationMs
  }

  /** What the iteration has streamed is void; what it has done is not. */
  #retry(run: OpenRun, event: EventOf<'model-retry'>): void {
    const { attempt, delayMs, failure, seq: key } = event
    const iteration = this.#iterationFor(run, event)
    iteration.items = iteration.items.filter(
      (item) => item.type !== 'text' && item.type !== 'thinking' && !isUnfinished(item),
    )
    iteration.items.push({ type: 'retry', key, attempt, delayMs, failure })
  }

  #resume(turn: OpenTurn, run: OpenRun, event: EventOf<'turn-resume'>): void {
    if (run.id !== turn.runId) return
    // An answer is told of after the turn went on; one of several leaves the others open.
    if (!turn.hasAsked && turn.openAsks === 0) this.#note(run, event, { type: 'resume', key: event.seq })
    turn.hasAsked = false
  }

  #endRun(turn: OpenTurn, run: OpenRun, { outcome, at }: EventOf<'turn-end'>): void {
    run.outcome = outcome
    run.endedAt = at
    run.usage = outcome.usage
    this.#closeCalls(turn, run)
    if (run.id !== turn.runId) return
    for (const child of turn.runs.values())
      if (child.endedAt === undefined) this.#closeCalls(turn, this.#runOf(turn, child.id))
    turn.openAsks = 0
  }

  #closeCalls(turn: OpenTurn, run: OpenRun): void {
    for (const [index, { items }] of run.iterations.entries()) {
      if (!items.some(isOpenCall)) continue
      this.#dropUnfinished(run, index)
      const iteration = this.#iteration(run, index)
      iteration.items = iteration.items.map((item) => {
        if (!isOpenCall(item)) return item
        if (isAsking(item)) turn.openAsks--
        return { ...item, status: 'stopped' }
      })
    }
  }

  /** Calls that the model began to write and never made. */
  #dropUnfinished(run: OpenRun, index: number): void {
    if (!run.iterations[index]?.items.some(isUnfinished)) return
    const iteration = this.#iteration(run, index)
    iteration.items = iteration.items.filter((item) => !isUnfinished(item))
  }

  #note(run: OpenRun, event: Placed, note: Note): void {
    this.#iterationFor(run, event).items.push(note)
  }

  #addCall(run: OpenRun, event: Placed, call: Pick<Call, 'callId' | 'tool' | 'label'>): Open<Call> {
    const { callId, tool, label } = call
    const added: Open<Call> = this.#made({
      type: 'call',
      key: event.seq,
      runId: run.id,
      callId,
      tool,
      label,
      status: 'writing',
      argumentsText: '',
      startedAt: event.at,
      children: [],
    })
    this.#iterationFor(run, event).items.push(added)
    return added
  }

  // Finding a part, and making it ours.

  #made<Part extends object>(part: Part): Part {
    this.#own.add(part)
    return part
  }

  #openTurns(): Turn[] {
    this.#turns ??= [...this.#before.turns]
    return this.#turns
  }

  /** A thread runs one turn at a time, so it is nearly always the last one. */
  #turnOf(runId: RunId): OpenTurn | undefined {
    const turns = this.#turns ?? this.#before.turns
    const index = turns.findLastIndex((turn) => turn.runs.has(runId))
    const turn = turns[index]
    if (!turn || this.#own.has(turn)) return turn as OpenTurn | undefined
    const own = this.#made({ ...turn, runs: new Map(turn.runs) })
    this.#openTurns()[index] = own
    return own as unknown as OpenTurn
  }

  #runOf(turn: OpenTurn, runId: RunId): OpenRun {
    const run = turn.runs.get(runId)!
    if (this.#own.has(run)) return run as OpenRun
    const own = this.#made({ ...run, iterations: [...run.iterations] })
    turn.runs.set(runId, own)
    return own
  }

  #iteration(run: OpenRun, index: number): OpenIteration {
    const iteration = run.iterations[index]!
    if (this.#own.has(iteration)) return iteration as OpenIteration
    const own = this.#made({ ...iteration, items: [...iteration.items] })
    run.iterations[index] = own
    return own
  }

  /** The iteration an event names; one that names none, such as zero, belongs to the last. */
  #iterationFor(run: OpenRun, { iteration, at }: Placed): OpenIteration {
    const last = run.iterations.at(-1)
    if (last && iteration <= last.number) {
      const index = run.iterations.findLastIndex(({ number }) => number === iteration)
      return this.#iteration(run, index === -1 ? run.iterations.length - 1 : index)
    }
    run.iterations.push(this.#made({ number: Math.max(1, iteration), startedAt: at, items: [] }))
    return this.#iteration(run, run.iterations.length - 1)
  }

  #call(run: OpenRun, callId: CallId): Open<Call> | undefined {
    return this.#find(run, (call) => call.callId === callId)
  }

  #find(run: OpenRun, isIt: (call: Call) => boolean): Open<Call> | undefined {
    for (let index = run.iterations.length - 1; index >= 0; index--) {
      const at = run.iterations[index]!.items.findLastIndex((item) => item.type === 'call' && isIt(item))
      if (at === -1) continue
      const { items } = this.#iteration(run, index)
      const call = items[at] as Call
      if (this.#own.has(call)) return call
      const own = this.#made({ ...call })
      items[at] = own
      return own
    }
    return undefined
  }
}

/** What says in which iteration it happened. */
interface Placed {
  readonly iteration: number
  readonly seq: number
  readonly at: number
}

const isOpenCall = (item: Item): item is Call => item.type === 'call' && isOpen(item)
const isUnfinished = (item: Item): boolean => item.type === 'call' && item.status === 'writing'
const isAsking = ({ status }: Call): boolean => status === 'asking' || status === 'connecting'

/** A reply without calls that is followed by another iteration broke off, and the next one goes on with it. */
function carriedFrom({ carried }: Run, last: Iteration, next: number): string {
  if (next <= last.number) return carried
  const hasCalls = last.items.some((item) => item.type === 'call')
  return hasCalls ? '' : carried + textOf(last)
}

/** What the model said in an iteration. */
export function textOf({ items }: Iteration): string {
  let text = ''
  for (const item of items) if (item.type === 'text') text += item.text
  return text
}
