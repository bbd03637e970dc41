import type { Shell } from '../shell/shell.ts'
import { writeJson } from '../shell/write.ts'
import type { Screen } from '../terminal/live-screen.ts'
import type { ChatStart } from './chat-start.ts'
import { runInteractiveChat } from './interactive-chat.ts'
import { runPipedChat } from './piped-chat.ts'

/** A chat with a person at a terminal, with a script, or in JSON. Settles with the exit code. */
export function runChat(start: ChatStart, screen: Screen, shell: Shell, isJson = false): Promise<number> {
  if (isJson) return runPipedChat(withJson(start, shell), screen, shell)
  const isInteractive = shell.stdin.isTTY && screen.isLive
  return (isInteractive ? runInteractiveChat : runPipedChat)(start, screen, shell)
}

/** The same chat, which prints its events. */
function withJson(start: ChatStart, shell: Shell): ChatStart {
  return {
    ...start,
    onSentence: (text) => writeJson(shell, { type: 'note', text }),
    open: (onEvent, onNote) =>
      start.open((event) => {
        writeJson(shell, event)
        onEvent(event)
      }, onNote),
  }
}
