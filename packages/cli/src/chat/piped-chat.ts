import { createInterface } from 'node:readline'
import { EXIT } from '../shell/exit-code.ts'
import type { Shell } from '../shell/shell.ts'
import { stopOnInterrupt } from '../shell/stop-on-interrupt.ts'
import type { Screen } from '../terminal/live-screen.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import type { ChatStart } from './chat-start.ts'
import { leaveChat, resumeChat } from './chat-start.ts'
import { Conversation } from './conversation.ts'
import { PROMPT } from './line-editor.ts'

/** A chat with a script: each line is a turn, or the answer to an approval. Settles with the exit code. */
export async function runPipedChat(start: ChatStart, screen: Screen, shell: Shell): Promise<number> {
  const { resumeToken, onSentence } = start
  const conversation = new Conversation(start.open, {
    screen,
    env: shell.env,
    resumeToken,
    ...(onSentence ? { onSentence } : undefined),
  })
  const reader = createInterface({ input: shell.stdin })
  // The iterator buffers lines from here on, so none is lost while the past turn is resumed.
  const lines = reader[Symbol.asyncIterator]()
  let isStopped = false
  const release = stopOnInterrupt(shell, () => {
    isStopped = true
    conversation.isOver = true
    conversation.stop()
    reader.close()
  })
  try {
    await resumeChat(conversation, start)
    for await (const line of lines) {
      if (conversation.isOver) break
      if (line.trim() !== '') screen.draw([PROMPT + toPrintableLine(line)])
      await conversation.handleLine(line)
    }
    return isStopped ? EXIT.aborted : await leaveChat(conversation, screen)
  } finally {
    release()
    await conversation.close()
  }
}
