import type { FlowReason, ReadSource } from '@capstan/protocol'
import { sanitizeLine } from '../text/untrusted-text.ts'
import type { FlowCall, FlowDecision, FlowTracker, ReadFact } from '../turn/flow-tracker.ts'
import type { JsonObject } from '../turn/json.ts'
import type { Surface } from '../turn/tool/surface.ts'
import type { DataLabel, Effect, Tool } from '../turn/tool/tool.ts'
import { appOf, toJsonSchema } from '../turn/tool/tool.ts'
import { isListedHost } from './allowed-hosts.ts'
import type { FlowSource, FlowTool, FlowVerdict } from './data-flow.ts'
import { DataFlow } from './data-flow.ts'
import { destinationNames } from '../turn/tool/destination-names.ts'
import { toFlowTool, wordingOf } from './to-flow-tool.ts'

/** Options of a thread's data flow. */
export interface ThreadFlowOptions {
  /** Hosts that the user allows to be read although the rule would ask. Read at each call. */
  readonly hosts?: () => readonly string[]
}

/** A result as it was recorded. `read` is absent in records from before there was a data-flow rule. */
export interface PastResult {
  readonly tool: string
  readonly effect?: Effect
  readonly args: JsonObject
  readonly text: string
  readonly callId?: string
  readonly read?: ReadFact
}

type Note = (flow: DataFlow) => void

const ALLOW: FlowDecision = { type: 'allow' }
const BOTH: readonly DataLabel[] = ['private', 'untrusted']
/** Of a result about which nothing more is known. */
const UNKNOWN: ReadFact = { returns: BOTH }
/** Notes wait until a call must be judged, so that a thread that only reads pays almost nothing. */
const MAX_WAITING_CHARS = 2_000_000
const MAX_WAITING = 5_000
const MAX_OFFERED = 500
const MAX_NAME_CHARS = 200
const MAX_SOURCES = 5
const MAX_DESTINATIONS = 20

/** The data flow of one thread: feeds `DataFlow` with what happens and turns its verdicts into decisions. */
export class ThreadFlow implements FlowTracker {
  /** Made when the first call must be judged. */
  #flow: DataFlow | undefined
  readonly #hosts: () => readonly string[]
  readonly #labels = new Set<DataLabel>()
  readonly #surfaces = new WeakSet<Surface>()
  #lastSurface: Surface | undefined
  readonly #tools = new WeakSet<Tool>()
  readonly #asked = new Map<string, FlowReason>()
  /** The newest untrusted texts, newest first: what a card names when the rule cannot tell which text it was. */
  #recent: readonly FlowSource[] = []
  #waiting: Note[] = []
  #waitingChars = 0

  constructor({ hosts = () => [] }: ThreadFlowOptions = {}) {
    this.#hosts = hosts
  }

  get hasReadUntrusted(): boolean {
    return this.#labels.has('untrusted')
  }

  userSaid(text: string): void {
    if (text !== '') this.#note(text.length, (flow) => flow.userSaid(text))
  }

  attached(name: string | undefined, text: string): void {
    const read = { returns: BOTH, ...(name === undefined ? undefined : { name: toName(name) }) }
    this.restoreResult({ tool: 'attachment', effect: 'read', args: {}, text, read })
  }

  offered(surface: Surface): void {
    if (surface === this.#lastSurface) return
    this.#lastSurface = surface
    if (this.#surfaces.has(surface)) return
    this.#surfaces.add(surface)
    this.#note(0, (flow) => {
      // Own tools are described by us. What a third party says about its tool is untrusted text.
      const foreign = listTools(surface).filter((tool) => tool.isThirdParty && !this.#tools.has(tool))
      for (const tool of foreign) this.#tools.add(tool)
      if (foreign.length > 0) flow.toolsOffered(foreign.map((tool) => toFlowTool(tool, plainEffect(tool))))
      for (const { name, input } of foreign) flow.defined(name, JSON.stringify(toJsonSchema(input)))
    })
  }

  concerns(tool: Tool, effect: Effect): boolean {
    if (effect !== 'read' || destinationNames(tool, effect).length > 0) return true
    return tool.app !== undefined && BOTH.every((label) => this.#labels.has(label))
  }

  judge({ tool, effect, args, id }: FlowCall): FlowDecision {
    if (!this.concerns(tool, effect)) return ALLOW
    const app = appOf(tool, args)?.name
    const flowTool = {
      ...toFlowTool(tool, effect),
      ...(app === undefined ? undefined : { app: toName(app) }),
    }
    const verdict = this.#settle().judge(flowTool, args)
    // What a person was asked about before a restart needs their answer, whatever the rule says now.
    const before = id && this.#asked.get(`${id.runId}/${id.callId}`)
    if (verdict.type === 'allow')
      return before ? { type: 'ask', rule: 'asked-before', reason: before } : ALLOW
    if (verdict.type === 'ask' && !before && this.#readsListedHost(flowTool, args)) return ALLOW
    return { type: verdict.type, rule: verdict.rule, reason: before ?? toReason(verdict, this.#recent) }
  }

  returned({ tool, effect, args, id }: FlowCall, text: string, isSummary = false): ReadFact | undefined {
    const known = toReadFact(tool, effect, args, this.#labels)
    const read: ReadFact = isSummary ? { text: 'summarised', ...known } : known
    this.restoreResult({ tool: tool.name, effect, args, text, callId: id?.callId, read })
    return read === UNKNOWN ? undefined : read
  }

  /** Notes a result from before a restart. One without labels counts as private and untrusted. */
  restoreResult(result: PastResult): void {
    for (const label of (result.read ?? UNKNOWN).returns) this.#labels.add(label)
    this.#note(result.text.length, (flow) => this.#takeIn(result, flow))
  }

  #takeIn({ tool, effect = 'write', args, text, callId, read = UNKNOWN }: PastResult, flow: DataFlow): void {
    const { returns, destinations = [], text: wording, app, name } = read
    const source: FlowSource = {
      tool,
      ...(app === undefined ? undefined : { app }),
      ...(name === undefined ? undefined : { name }),
      ...(callId === undefined ? undefined : { callId }),
    }
    if (returns.includes('untrusted')) this.#recent = newestFirst(source, this.#recent)
    const flowTool = { name: tool, effect, returns, destinations, ...(wording && { text: wording }) }
    flow.returned(flowTool, args, text, source)
  }

  /** Notes an approval that the rule asked for before a restart. */
  restoreAsked(call: string, reason: FlowReason): void {
    this.#asked.set(call, reason)
  }

  #note(chars: number, note: Note): void {
    this.#waiting.push(note)
    this.#waitingChars += chars
    if (this.#waitingChars >= MAX_WAITING_CHARS || this.#waiting.length >= MAX_WAITING) this.#settle()
  }

  /** The data flow with everything that happened so far. */
  #settle(): DataFlow {
    const flow = (this.#flow ??= new DataFlow())
    // Each note is taken out before it is applied: one that throws must not come again.
    for (let note = this.#waiting.shift(); note; note = this.#waiting.shift()) note(flow)
    this.#waitingChars = 0
    return flow
  }

  #readsListedHost({ effect, destinations }: FlowTool, args: JsonObject): boolean {
    if (effect !== 'read') return false
    const hosts = this.#hosts()
    const values = destinations.flatMap((name) => (Object.hasOwn(args, name) ? [args[name]] : []))
    return hosts.length > 0 && values.length > 0 && values.every((value) => isListedHost(value, hosts))
  }
}

/** The tools of a surface, and those that are only announced. */
function listTools(surface: Surface): readonly Tool[] {
  const late = surface.names().slice(0, MAX_OFFERED)
  const found = late.map((name) => surface.resolve({ tool: name, arguments: {} }).tool)
  return [...new Set([...surface.tools, ...found.filter((tool) => tool !== undefined)])]
}

const plainEffect = ({ effect }: Tool): Effect => (typeof effect === 'function' ? 'write' : effect)

function toReason(
  { sources, destinations }: Exclude<FlowVerdict, { readonly type: 'allow' }>,
  recent: readonly FlowSource[],
): FlowReason {
  return {
    kind: 'data-flow',
    sources: (sources.length > 0 ? sources : recent).slice(0, MAX_SOURCES).map(toReadSource),
    destinations: destinations.slice(0, MAX_DESTINATIONS).map(toName),
  }
}

function newestFirst(source: FlowSource, before: readonly FlowSource[]): readonly FlowSource[] {
  const isOther = ({ tool, app, name }: FlowSource): boolean =>
    tool !== source.tool || app !== source.app || name !== source.name
  return [source, ...before.filter(isOther)].slice(0, MAX_SOURCES)
}

const toReadSource = ({ tool, app, name }: FlowSource): ReadSource => ({
  tool,
  ...(app === undefined ? undefined : { app: toName(app) }),
  ...(name === undefined ? undefined : { name: toName(name) }),
})

/** What a result carries. `labels`: what the thread has read so far. */
function toReadFact(tool: Tool, effect: Effect, args: JsonObject, labels: ReadonlySet<DataLabel>): ReadFact {
  const app = appOf(tool, args)?.name
  const key = findNaming(args)
  const wording = wordingOf(tool)
  const saysNothing = tool.returns === undefined && !wording && destinationNames(tool, effect).length === 0
  if (saysNothing && app === undefined && key === undefined) return UNKNOWN
  const { returns, destinations } = toFlowTool(tool, effect, [...labels])
  return {
    returns,
    ...(wording && { text: wording }),
    ...(destinations.length === 0 ? undefined : { destinations }),
    ...(app === undefined ? undefined : { app: toName(app) }),
    ...(key === undefined ? undefined : { name: toName(args[key] as string) }),
  }
}

/** The arguments that say what is read, the best first. */
const NAMING = ['url', 'uri', 'link', 'path', 'file', 'title', 'subject', 'name', 'query', 'id']
const RANKS: ReadonlyMap<string, number> = new Map(NAMING.map((name, rank) => [name, rank]))

function findNaming(args: JsonObject): string | undefined {
  let best = NAMING.length
  for (const key of Object.keys(args))
    if (typeof args[key] === 'string') best = Math.min(best, RANKS.get(key) ?? best)
  return NAMING[best]
}

const toName = (text: string): string => sanitizeLine(text, MAX_NAME_CHARS)
