import type { CallId, RunId } from '@capstan/protocol'
import type { Addition, Call, Item, Iteration, Note, Run, ThreadView, Turn } from './thread-view.ts'

type Mutable<Part> = { -readonly [Key in keyof Part]: Part[Key] }

export type OpenTurn = Omit<Mutable<Turn>, 'runs' | 'additions'> & {
  runs: Map<RunId, Run>
  additions: Addition[]
}
export type OpenRun = Omit<Mutable<Run>, 'iterations'> & { iterations: Iteration[] }
export type OpenIteration = Omit<Mutable<Iteration>, 'items'> & { items: Item[] }
export type OpenCall = Mutable<Call>

/** The part of an event that says in which iteration it happened. */
export interface Placed {
  readonly iteration: number
  readonly seq: number
  readonly at: number
}

/**
 * A thread while one batch of events is folded into it. A part is copied the first time it changes and changed in
 * place from then on, so a batch costs what it touches. The view it began with never changes.
 */
export class ThreadDraft {
  lastSeq: number
  readonly #before: ThreadView
  /** What was copied or created in this batch. */
  readonly #own = new WeakSet<object>()
  #turns: Turn[] | undefined

  constructor(view: ThreadView) {
    this.#before = view
    this.lastSeq = view.lastSeq
  }

  /** The same view when no event was new. */
  finish(): ThreadView {
    if (this.lastSeq === this.#before.lastSeq) return this.#before
    return { lastSeq: this.lastSeq, turns: this.#turns ?? this.#before.turns }
  }

  addTurn(turn: Turn): void {
    this.#openTurns().push(this.create(turn))
  }

  /** Marks a new part as changeable. */
  create<Part extends object>(part: Part): Part {
    this.#own.add(part)
    return part
  }

  /** A thread runs one turn at a time, so this is nearly always the last one. */
  turnOf(runId: RunId): OpenTurn | undefined {
    const turns = this.#turns ?? this.#before.turns
    const index = turns.findLastIndex((turn) => turn.runs.has(runId))
    const turn = turns[index]
    if (!turn || this.#own.has(turn)) return turn as OpenTurn | undefined
    const own = this.create({ ...turn, runs: new Map(turn.runs) })
    this.#openTurns()[index] = own
    return own as unknown as OpenTurn
  }

  runOf(turn: OpenTurn, runId: RunId): OpenRun {
    const run = turn.runs.get(runId)!
    if (this.#own.has(run)) return run as OpenRun
    const own = this.create({ ...run, iterations: [...run.iterations] })
    turn.runs.set(runId, own)
    return own
  }

  iterationAt(run: OpenRun, index: number): OpenIteration {
    const iteration = run.iterations[index]!
    if (this.#own.has(iteration)) return iteration as OpenIteration
    const own = this.create({ ...iteration, items: [...iteration.items] })
    run.iterations[index] = own
    return own
  }

  /** The iteration an event names. An event that names none, such as zero, belongs to the last. */
  iterationFor(run: OpenRun, { iteration, at }: Placed): OpenIteration {
    const last = run.iterations.at(-1)
    if (last && iteration <= last.number) {
      const index = run.iterations.findLastIndex(({ number }) => number === iteration)
      return this.iterationAt(run, index === -1 ? run.iterations.length - 1 : index)
    }
    run.iterations.push(this.create({ number: Math.max(1, iteration), startedAt: at, items: [] }))
    return this.iterationAt(run, run.iterations.length - 1)
  }

  addNote(run: OpenRun, event: Placed, note: Note): void {
    this.iterationFor(run, event).items.push(note)
  }

  addCall(run: OpenRun, event: Placed, call: Pick<Call, 'callId' | 'tool' | 'label'>): OpenCall {
    const { callId, tool, label } = call
    const added: OpenCall = this.create({
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
    this.iterationFor(run, event).items.push(added)
    return added
  }

  callOf(run: OpenRun, callId: CallId): OpenCall | undefined {
    return this.findCall(run, (call) => call.callId === callId)
  }

  /** The newest call of the run that fits. */
  findCall(run: OpenRun, fits: (call: Call) => boolean): OpenCall | undefined {
    for (let index = run.iterations.length - 1; index >= 0; index--) {
      const at = run.iterations[index]!.items.findLastIndex((item) => item.type === 'call' && fits(item))
      if (at === -1) continue
      const { items } = this.iterationAt(run, index)
      const call = items[at] as Call
      if (this.#own.has(call)) return call
      const own = this.create({ ...call })
      items[at] = own
      return own
    }
    return undefined
  }

  #openTurns(): Turn[] {
    this.#turns ??= [...this.#before.turns]
    return this.#turns
  }
}
