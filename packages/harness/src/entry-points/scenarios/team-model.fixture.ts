import type { ModelRequest } from '../../models/model-client.ts'
import { finish, handMadeModel, text } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'

/** One reply of an agent. */
export interface TeamReply {
  readonly text?: string
  readonly calls?: readonly (readonly [tool: string, args?: object])[]
}

/** What an agent knows when it replies. */
export interface TeamTurn {
  readonly request: ModelRequest
  /** Replies so far in its conversation. */
  readonly n: number
  readonly task: string
  /** The reports that it has read, in order. */
  readonly reports: readonly string[]
}

type Script = (turn: TeamTurn) => TeamReply | Promise<TeamReply>

/** A model whose agents follow scripts of their own, so that they may work side by side. */
export function teamModel(scripts: Readonly<Record<string, Script>>) {
  const requests: ModelRequest[] = []
  const model = handMadeModel(async function* (request) {
    requests.push(request)
    const id = /^You are (\w+)\./.exec(request.system)?.[1] ?? 'lead'
    const n = request.messages.filter(({ role }) => role === 'assistant').length
    const task = textOf(request.messages[0]!)
    const reply = await scripts[id]!({ request, n, task, reports: reportsIn(request) })
    if (reply.text !== undefined) yield text(reply.text)
    for (const [index, [tool, args = {}]] of (reply.calls ?? []).entries())
      yield { type: 'call', id: `${id}_${n}_${index}`, tool, argumentsText: JSON.stringify(args) }
    yield finish
  })
  return { model, requests }
}

/** The reports of sub-agents in a request. */
export const reportsIn = ({ messages }: ModelRequest): readonly string[] =>
  messages.flatMap((message) =>
    message.role === 'notice' && message.fact?.kind === 'agent-ended' ? [message.text] : [],
  )

/** A call that starts an agent. */
export const spawn = (agent: string, prompt: string) => ['spawn_agent', { agent, prompt }] as const

/** A promise that a test settles. */
export const gate = () => Promise.withResolvers<void>()
