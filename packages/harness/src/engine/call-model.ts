import { describe } from '../failures/classify.ts'
import type { ModelRequest } from '../models/model-client.ts'
import type { ResolvedModelOptions } from '../turn/model-options.ts'
import type { ModelReply } from '../turn/message/model-reply.ts'
import type { Surface } from '../turn/tool/surface.ts'
import { endAtCap } from './leave-early.ts'
import { streamReply } from './stream-reply.ts'
import { RESULT_TOOL } from './structured-output.ts'
import type { Ending, Turn } from './turn.ts'
import { append, notifyObservers } from './turn.ts'

/** A reply, or the end of the turn with the text that was shown before the failure. */
export type Answer = { readonly reply: ModelReply } | { readonly ending: Ending; readonly partial: string }

/**
 * Gets one reply to the conversation. A final failure is returned as an ending; text that was shown before it stays in
 * the conversation, marked as cut. When the turn's own clock ended the call, the turn is capped, not failed.
 */
export async function callModel(turn: Turn, surface: Surface, iteration: number): Promise<Answer> {
  const { run, conversation, parser } = turn
  const tools = parser.dialect === 'native' ? surface.tools : NO_TOOLS
  const broken = conversation.findBreak(tools)
  if (broken) await run.report({ type: 'prefix-break', iteration, ...broken })
  for (const observer of turn.observers) {
    if (!observer.requestPrepared) continue
    await observer.requestPrepared(run, { ...conversation.hashRequest(tools), ...(broken && { broken }) })
  }
  const recording = notifyObservers(turn, (observer) => observer.modelCalling?.(run))
  if (recording) await recording
  const request: ModelRequest = {
    system: conversation.system,
    messages: conversation.history.messages,
    tools,
    media: conversation.media,
    ...optionsNow(turn),
    ...(turn.output?.by === 'provider' ? { outputSchema: turn.output.format.written } : undefined),
  }
  const missing = findMissingTool(request)
  if (missing) return missing
  const answer = await streamReply(turn, request, {
    iteration,
    openDisplay: () => parser.openDisplay?.(surface),
    shown: true,
  })
  if ('reply' in answer) {
    turn.window.noteUsage(answer.reply, conversation)
    return answer
  }
  const { ending, partial } = answer
  if (partial.trim() !== '') {
    await append(turn, { role: 'assistant', parts: [{ type: 'text', text: partial }], cut: true })
  }
  const cap = ending.type === 'failed' && ending.failure.class === 'timeout' && run.budget.exhausted()
  return cap ? { ending: await endAtCap(turn, cap), partial } : answer
}

const NO_TOOLS: ModelRequest['tools'] = []

/** The options of the next request. A tool choice that forces a call applies until the turn has made one. */
function optionsNow({ modelOptions, state, output }: Turn): ResolvedModelOptions {
  const { toolChoice } = modelOptions
  // With `none`, only the result tool may be called.
  if (toolChoice === 'none' && output?.by === 'tool')
    return { ...modelOptions, toolChoice: { tool: RESULT_TOOL } }
  if (toolChoice === undefined || toolChoice === 'none' || state.calls === 0) return modelOptions
  const { toolChoice: _, ...others } = modelOptions
  return others
}

/** Ends the turn for a chosen tool that is not offered: every provider would refuse the request. */
function findMissingTool({ toolChoice, tools }: ModelRequest): Answer | undefined {
  if (typeof toolChoice !== 'object' || tools.length === 0) return undefined
  if (tools.some(({ name }) => name === toolChoice.tool)) return undefined
  const failure = describe('invalid_input', {
    rule: 'tool-choice',
    fact: toolChoice.tool,
    words: {
      cause: `The model was to call "${toolChoice.tool}", and no such tool is offered.`,
      next: 'Check the tool choice in the model options.',
    },
  })
  return { ending: { type: 'failed', text: `${failure.cause} ${failure.next}`, failure }, partial: '' }
}
