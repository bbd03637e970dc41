import { EXIT } from '../shell/exit-code.ts'
import type { PastTurn } from '../store-access/past-turn.ts'
import type { Screen } from '../terminal/live-screen.ts'
import type { OpenChatThread } from './chat-thread.ts'
import type { Conversation } from './conversation.ts'

/** What a chat starts with. */
export interface ChatStart {
  readonly open: OpenChatThread
  /** Resumes the unfinished turns of every stored thread. */
  readonly resumeTurns?: () => Promise<void>
  /** The unfinished turn of the thread itself. */
  readonly past?: PastTurn
  /** The token of a turn that paused at its limit. */
  readonly resumeToken?: string | undefined
  /** Takes the place of the screen for sentences of the chat itself. */
  readonly onSentence?: (sentence: string) => void
}

/** Resumes unfinished turns. Settles when the thread's own turn has ended or waits for an approval. */
export async function resumeChat(
  conversation: Conversation,
  { past, resumeTurns }: ChatStart,
): Promise<void> {
  const turn = past && conversation.followTurn(past)
  await resumeTurns?.()
  await turn
}

/** Prints what happens to a turn that still waits for an approval. Answers with the exit code of the chat. */
export async function leaveChat(conversation: Conversation, screen: Screen): Promise<number> {
  if (!conversation.isWaitingForApproval) return EXIT.done
  const isStored = await conversation.leaveUnanswered()
  screen.draw([
    isStored
      ? '  The turn keeps waiting for your answer: see "capstan approvals".'
      : '  The call was not answered, so it did not run.',
  ])
  return EXIT.unfinished
}
