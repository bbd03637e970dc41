/** One tool call as the fake model writes it. */
export interface ScriptedCall {
  readonly id: string
  readonly tool: string
  readonly args: CallArguments
  readonly argumentsText: string
}

export type CallArguments = { readonly [key: string]: string | number | CallArguments }

/** One reply of the fake model: the pieces of its text, then its calls. */
export interface ScriptedReply {
  readonly deltas: readonly string[]
  readonly text: string
  readonly calls: readonly ScriptedCall[]
}

/** The replies of the fake model, in order, for any request. */
export interface Script {
  readonly replies: readonly ScriptedReply[]
  readonly finalText: string
  /** The `i` of every call, in the order asked. */
  readonly lookups: readonly number[]
}

/** How the model of a subject writes a call to a late tool. */
export type WriteLateCall = (tool: string, args: CallArguments) => Pick<ScriptedCall, 'tool' | 'args'>

export const LOOKUP = 'lookup'
export const FINAL_TEXT = 'All values were read.'

const NO_CALLS: readonly ScriptedCall[] = []

export function toCall(number: number, tool: string, args: CallArguments): ScriptedCall {
  return { id: `call_${number}`, tool, args, argumentsText: JSON.stringify(args) }
}

export function toReply(deltas: readonly string[], calls: readonly ScriptedCall[] = NO_CALLS): ScriptedReply {
  return { deltas, text: deltas.join(''), calls }
}

/** Agents that each delegate to the next one; the last one runs the loop. One model serves all of them. */
export function toNestedScript(
  loop: Loop,
  agents: readonly string[],
  writeDelegation: (agent: string) => Pick<ScriptedCall, 'tool' | 'args'>,
): Script {
  const work = toLoopScript(loop)
  const delegations = agents.map((agent, depth) => {
    const { tool, args } = writeDelegation(agent)
    return toReply([], [toCall(1_000 + depth, tool, args)])
  })
  const reports = agents.map(() => toReply([FINAL_TEXT]))
  return { ...work, replies: [...delegations, ...work.replies, ...reports] }
}

export interface Loop {
  readonly iterations: number
  readonly callsPerIteration: number
  readonly deltasPerIteration: number
}

/** Every iteration makes a new call, so that no loop guard trips. */
export function toLoopScript({ iterations, callsPerIteration, deltasPerIteration }: Loop): Script {
  const replies: ScriptedReply[] = []
  const lookups: number[] = []
  for (let iteration = 0; iteration < iterations; iteration++) {
    const calls: ScriptedCall[] = []
    for (let n = 0; n < callsPerIteration; n++) {
      const i = lookups.length
      lookups.push(i)
      calls.push(toCall(i, LOOKUP, { i }))
    }
    const deltas = Array.from({ length: deltasPerIteration }, (_, n) => `word${iteration}-${n} `)
    replies.push(toReply(deltas, calls))
  }
  replies.push(toReply([FINAL_TEXT]))
  return { replies, finalText: FINAL_TEXT, lookups }
}
