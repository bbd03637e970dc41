import type { Archive, PastRun } from '../../turn/archive.ts'
import { callsOf } from '../../turn/message/message.ts'
import { STEER_TOOL } from './tool-names.ts'

interface SentMessage {
  readonly text: string
  readonly id: string
}

/** The id of a message to a sub-agent: the call that sent it. */
export const toMessageId = (runId: string, callId: string): string => `${runId}/${callId}`

/** Finds the messages that a run had sent to a sub-agent, by its name, and that the sub-agent has not read. */
export function findUndelivered(
  { runId, replies, open }: PastRun,
  archive: Archive,
): (name: string) => readonly SentMessage[] {
  const sent = new Map<string, SentMessage[]>()
  for (const { message, finished } of open ? [...replies, open] : replies) {
    for (const { id: callId, tool, arguments: args } of callsOf(message)) {
      if (tool !== STEER_TOOL || !finished.get(callId)?.result.ok) continue
      const { agent, message: text } = args as { readonly agent: string; readonly message: string }
      const id = toMessageId(runId, callId)
      if (!archive.hasMessage(id)) sent.set(agent, [...(sent.get(agent) ?? []), { text, id }])
    }
  }
  return (name) => sent.get(name) ?? []
}
