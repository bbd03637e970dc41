import { EXIT } from '../shell/exit-code.ts'
import type { Shell } from '../shell/shell.ts'
import { tailToWidth } from '../terminal/display-width.ts'
import type { Screen } from '../terminal/live-screen.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import { paint, styleOf } from '../terminal/style.ts'
import type { ChatStart } from './chat-start.ts'
import { leaveChat, resumeChat } from './chat-start.ts'
import { Conversation } from './conversation.ts'
import { createLineEditor, PROMPT } from './line-editor.ts'

/** A chat with a person at a terminal. Settles with the exit code. */
export async function runInteractiveChat(start: ChatStart, screen: Screen, shell: Shell): Promise<number> {
  const style = () => styleOf(shell.stdout, shell.env)
  const footer = () => [
    paint(style(), 'cyan', PROMPT) +
      tailToWidth(toPrintableLine(editor.typed), style().width - PROMPT.length),
  ]
  const { resumeToken } = start
  const conversation = new Conversation(start.open, {
    screen,
    env: shell.env,
    footer,
    resumeToken,
    onTurn(work) {
      editor.hide()
      follow(work)
    },
    onLines: () => {
      if (!conversation.isRunning && !conversation.isOver) editor.show()
    },
  })
  const { promise: left, resolve: leave, reject: fail } = Promise.withResolvers<'at once' | void>()
  let warned = false
  let stopping = false

  function follow(work: Promise<void>): void {
    conversation.refresh()
    work.then(() => {
      stopping = false
      if (conversation.isOver) editor.close()
      else if (!conversation.isRunning) editor.show()
    }, fail)
  }

  const editor = createLineEditor(shell, {
    onKey: () => conversation.refresh(),
    onEnd: () => void conversation.handleLine('/quit').then(() => leave(), fail),
    onInterrupt() {
      if (conversation.isRunning) {
        // The turn has not ended since the first press: it may hang, or its server is away.
        if (stopping) return leave('at once')
        stopping = true
        return conversation.stop()
      }
      if (editor.typed !== '') return editor.clear()
      if (warned) return editor.close()
      warned = true
      screen.draw(['', '  Press Ctrl-C again to leave.', ''])
      editor.show()
    },
    onLine(line) {
      warned = false
      editor.hide()
      follow(conversation.handleLine(line))
    },
  })
  if (start.past) follow(resumeChat(conversation, start))
  else {
    editor.show()
    resumeChat(conversation, start).catch(fail)
  }
  try {
    if ((await left) === 'at once') return EXIT.aborted
    return await leaveChat(conversation, screen)
  } finally {
    await conversation.close()
    screen.draw([''])
  }
}
