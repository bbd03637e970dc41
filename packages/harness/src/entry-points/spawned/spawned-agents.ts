import type { CallId, WaitsFor } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { AgentDefinition, PreparedAgent } from '../../agents/agent-definition.ts'
import type { SpawnedRuns } from '../../engine/spawned-runs.ts'
import { classifyOutcome } from '../../failures/classify.ts'
import type { Archive, PastRun } from '../../turn/archive.ts'
import { messageOf } from '../../turn/error-message.ts'
import { endsTheTree, RecordingError, TurnParked } from '../../turn/errors.ts'
import { ignore } from '../../turn/maybe-promise.ts'
import type { NoticeMessage } from '../../turn/message/message.ts'
import { Inbox } from '../../turn/message/inbox.ts'
import type { RunContext } from '../../turn/run-context.ts'
import type { ToolContext } from '../../turn/tool/tool.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import { runChild } from '../child-run.ts'
import type { Delegation } from '../delegate-tools.ts'
import { findUndelivered } from './past-messages.ts'
import type { SpawnedAgent } from './spawned-agent.ts'
import { isOpen } from './spawned-agent.ts'
import { toReport } from './to-report.ts'

/** What a sub-agent is started with. */
type Start = Pick<SpawnedAgent, 'name' | 'definition' | 'task' | 'setup' | 'callId'>

type ReadyAgent = Exclude<PreparedAgent, { readonly refusal: unknown }>

/**
 * The sub-agents that one run has started without waiting, and the only place where their states change. They belong to
 * the run: it does not end before them. Everything is rebuilt from the ledger, so a crash and a wait are the same.
 */
export class SpawnedAgents implements SpawnedRuns {
  readonly #delegation: Delegation
  readonly #run: RunContext
  readonly #inbox: Inbox
  readonly #all: SpawnedAgent[] = []
  #changed = Promise.withResolvers<void>()
  /** The turn cannot be recorded any more. */
  #fault: unknown
  /** The run is being parked or given up: none goes on by itself any more. */
  #isLeaving = false

  /** `inbox`: the messages for the run itself, which end its waiting. */
  constructor(delegation: Delegation, run: RunContext, inbox: Inbox) {
    this.#delegation = delegation
    this.#run = run
    this.#inbox = inbox
  }

  get all(): readonly SpawnedAgent[] {
    return this.#all
  }

  find(name: string): SpawnedAgent | undefined {
    return this.#all.find((agent) => agent.name === name)
  }

  /** The one that a call has started before it was interrupted. */
  ofCall(callId: CallId): SpawnedAgent | undefined {
    return this.#all.find((agent) => agent.callId === callId)
  }

  /** Starts one. Settles when its start is recorded: undefined, or when it could not start: the outcome. */
  async start(start: Start, prepared: ReadyAgent | undefined): Promise<ToolOutcome | undefined> {
    const agent = this.#add(start)
    const started = Promise.withResolvers<void>()
    const work = this.#work(agent, this.#run.archive, prepared, started.resolve)
    await Promise.race([started.promise, work])
    this.#throwFault()
    if (agent.turn || agent.state.type !== 'ended') return undefined
    this.#all.splice(this.#all.indexOf(agent), 1)
    return this.#delegation.waiting.toOutcome(agent.definition.id, agent.state.result)
  }

  /** Ends one. Settles when it has ended. */
  async close(agent: SpawnedAgent): Promise<void> {
    this.#stop(agent)
    while (isOpen(agent)) await this.#change()
    this.#throwFault()
  }

  /** Waits until one of these has ended, a message for the run arrives, or the signal is aborted. Parks like `next`. */
  async waitFor(agents: readonly SpawnedAgent[], signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    while (!signal.aborted && this.#inbox.isEmpty && agents.length > 0 && agents.every(isOpen)) {
      const change = this.#change()
      await this.#parkWhenIdle()
      await Promise.race([change, this.#inbox.arrival(), aborted])
      this.#throwFault()
    }
  }

  async resume(past: PastRun): Promise<void> {
    const { archive, runId } = this.#run
    if (!archive) return
    const undelivered = findUndelivered(past, archive)
    for (const { callId, run, task, isReported } of archive.spawnedBy(runId)) {
      const { agent: id, name = id, setup } = run.conversation
      const known = this.#delegation.agents.find((definition) => definition.id === id)
      const definition = known ?? missing(id)
      const agent = this.#add({ name, definition, task: { prompt: task }, callId, ...(setup && { setup }) })
      if (isReported) {
        agent.state = { type: 'reported' }
        continue
      }
      if (!known) this.#giveUp(agent, 'there is no such agent any more')
      if (run.outcome) agent.inbox.close('it has ended')
      for (const message of undelivered(name)) this.steer(agent, message.text, message.id)
      void this.#prepareAndWork(agent, archive)
    }
  }

  /** Gives one a message, which it reads before its next model call. */
  steer(agent: SpawnedAgent, text: string, id: string): void {
    void agent.inbox.post(text, id).then(({ delivered }) => {
      if (!delivered) agent.unread++
    })
  }

  takeReports(): readonly NoticeMessage[] {
    this.#throwFault()
    const reports: NoticeMessage[] = []
    for (const agent of this.#all) {
      if (agent.state.type !== 'ended') continue
      reports.push(toReport(agent, agent.state.result, this.#run, this.#delegation.waiting))
      agent.state = { type: 'reported' }
    }
    return reports
  }

  async next(): Promise<boolean> {
    while (this.#all.some(({ state }) => state.type !== 'reported')) {
      this.#throwFault()
      if (this.#all.some(({ state }) => state.type === 'ended') || this.#run.signal.aborted) return true
      if (!this.#inbox.isEmpty) return true
      const change = this.#change()
      await this.#parkWhenIdle()
      await Promise.race([change, this.#inbox.arrival()])
    }
    return false
  }

  async finish(): Promise<void> {
    while (this.#all.some(isOpen) && !this.#run.signal.aborted) {
      const change = this.#change()
      await this.#parkWhenIdle()
      await change
      this.#throwFault()
    }
  }

  async closeAll(): Promise<void> {
    for (const agent of this.#all) if (isOpen(agent)) this.#stop(agent)
    while (this.#all.some(isOpen)) await this.#change()
    this.#throwFault()
  }

  async leave(error: unknown): Promise<void> {
    if (!endsTheTree(error)) return this.closeAll().catch(ignore)
    this.#isLeaving = true
    for (const agent of this.#all) {
      if (agent.state.type === 'parked') agent.state.forget()
      if (error instanceof RecordingError) agent.closing.abort(error)
    }
    while (this.#all.some(({ state }) => state.type === 'running')) await this.#change()
  }

  #add(start: Start): SpawnedAgent {
    const closing = new AbortController()
    const agent: SpawnedAgent = {
      ...start,
      inbox: new Inbox(),
      closing,
      signal: AbortSignal.any([this.#run.signal, closing.signal]),
      state: { type: 'running' },
      unread: 0,
    }
    this.#all.push(agent)
    return agent
  }

  #stop(agent: SpawnedAgent): void {
    agent.closing.abort(new Error('closed by its parent'))
    if (agent.state.type === 'parked') {
      agent.state.forget()
      void this.#goOn(agent)
    }
  }

  #giveUp(agent: SpawnedAgent, problem: string): void {
    agent.problem = problem
    agent.closing.abort(new Error(problem))
  }

  /** Goes on with one that was parked, from its records. A closed one only ends. */
  async #goOn(agent: SpawnedAgent): Promise<void> {
    agent.state = { type: 'running' }
    try {
      const archive = await this.#parkedRuns!.readArchive()
      await this.#prepareAndWork(agent, archive)
    } catch (error) {
      this.#break(new RecordingError(error))
    }
  }

  /** Sets the task up again, and goes on. One whose setup is refused now ends with what it has done. */
  async #prepareAndWork(agent: SpawnedAgent, archive: Archive): Promise<void> {
    const { definition, setup, callId, signal } = agent
    const { runId } = this.#run
    const context: ToolContext = { callId, idempotencyKey: `${runId}/${callId}`, signal, run: this.#run }
    let prepared: PreparedAgent | undefined
    try {
      prepared = setup && !signal.aborted ? await definition.setup?.prepare(setup, context) : undefined
    } catch (error) {
      prepared = { refusal: fail(messageOf(error) ?? 'its setup failed') }
    }
    if (!prepared || !('refusal' in prepared)) return this.#work(agent, archive, prepared)
    this.#giveUp(agent, prepared.refusal.text)
    return this.#work(agent, archive, { tools: [] })
  }

  /** Runs one until it has ended or is parked. Never rejects. */
  async #work(
    agent: SpawnedAgent,
    archive: Archive | undefined,
    prepared?: ReadyAgent,
    onStarted?: () => void,
  ): Promise<void> {
    const { agent: parent } = this.#delegation
    const { definition, task, callId, signal, name, setup, inbox } = agent
    try {
      const result = await parent.slots.use(() =>
        runChild(
          definition,
          task,
          { agent: parent, run: this.#run, callId, signal, ...(archive && { archive }) },
          {
            name,
            ...(prepared ? { prepared } : undefined),
            ...(setup ? { setup: prepared?.setup ?? setup } : undefined),
            beside: { inbox, onTurn: (turn) => void (agent.turn = turn), ...(onStarted && { onStarted }) },
          },
        ),
      )
      agent.state = { type: 'ended', result }
    } catch (error) {
      if (error instanceof TurnParked) this.#park(agent, error.waits)
      else if (endsTheTree(error)) return this.#break(error, agent)
      else agent.state = { type: 'ended', result: broken(error) }
    }
    this.#note()
  }

  #park(agent: SpawnedAgent, waits: readonly WaitsFor[]): void {
    const parked: Extract<SpawnedAgent['state'], { type: 'parked' }> = {
      type: 'parked',
      waits,
      forget: ignore,
    }
    agent.state = parked
    if (!this.#isLeaving) parked.forget = this.#parkedRuns!.onSettled(waits, () => void this.#goOn(agent))
  }

  /** When all that are left wait for a person, so does the run. Whatever happens from here on resumes the whole turn. */
  async #parkWhenIdle(): Promise<void> {
    this.#throwFault()
    const waits: WaitsFor[] = []
    for (const { state } of this.#all) {
      if (state.type === 'running' || state.type === 'ended') return
      if (state.type === 'parked') waits.push(...state.waits)
    }
    const [first, ...others] = waits
    if (!first) return
    for (const { state } of this.#all) if (state.type === 'parked') state.forget()
    await this.#delegation.agent.services.park!(this.#run, [first, ...others])
  }

  #break(error: unknown, agent?: SpawnedAgent): void {
    this.#fault ??= error
    for (const one of agent ? [agent] : this.#all)
      if (one.state.type === 'running') one.state = { type: 'reported' }
    this.#note()
  }

  #throwFault(): void {
    if (this.#fault !== undefined) throw this.#fault
  }

  /** The next change of any state. Taken before a state is read, so that none is missed. */
  #change(): Promise<void> {
    return this.#changed.promise
  }

  #note(): void {
    const { resolve } = this.#changed
    this.#changed = Promise.withResolvers()
    resolve()
  }

  get #parkedRuns() {
    return this.#delegation.agent.services.parkedRuns
  }
}

/** Stands in for an agent that the program no longer has, so that its run can end. */
const missing = (id: string): AgentDefinition => ({ id, description: '', instructions: '', tools: [] })

const broken = (error: unknown) => ({
  status: 'failed' as const,
  text: messageOf(error) ?? 'It failed without a reason.',
  usage: NO_USAGE,
  failure: classifyOutcome({ text: messageOf(error) ?? '' }),
})
