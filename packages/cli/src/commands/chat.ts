import { createInterface } from 'node:readline'
import type { SessionOptions } from '@capstan/harness'
import { createClockTool } from '@capstan/harness'
import { createDemoModel, DEMO_LABEL } from '../demo/demo-model.ts'
import { createDemoTools } from '../demo/demo-tools.ts'
import { librarian } from '../demo/librarian.ts'
import { CALM, FAST } from '../demo/pace.ts'
import { tailToWidth } from '../render/display-width.ts'
import { toInertLine } from '../render/inert.ts'
import type { Screen } from '../render/live-screen.ts'
import { createScreen } from '../render/live-screen.ts'
import { paint, styleOf } from '../render/style.ts'
import { chooseModel, MODEL_HELP } from './choose-model.ts'
import { Conversation } from './conversation.ts'
import { EXIT } from './exit-code.ts'
import { INSTRUCTIONS } from './instructions.ts'
import { createLineEditor, PROMPT } from './line-editor.ts'
import { parseFlags } from './parse-flags.ts'
import type { Command, Shell } from './shell.ts'
import { stopOnInterrupt } from './stop-on-interrupt.ts'

const HELP = `Usage: capstan chat [options]

A conversation. What you type while a turn is running reaches the model before its next step.
Ctrl-C or /stop ends the turn, /quit ends the chat. Piped lines are taken one after the other.

${MODEL_HELP}
  --demo                talk to the scripted demo model, offline
  --fast                with --demo: without its pauses
  --no-tools            offer no tools, for models that cannot take any`

const OPTIONS = {
  model: { type: 'string' },
  demo: { type: 'boolean' },
  fast: { type: 'boolean' },
  'no-tools': { type: 'boolean' },
} as const

export const chat: Command = {
  summary: 'talk to a model',
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'chat', options: OPTIONS })
    const screen = createScreen(shell.stdout, shell.env)
    const pace = values.fast || !screen.isLive ? FAST : CALM
    const options: SessionOptions = values.demo
      ? { model: createDemoModel(pace), tools: createDemoTools(pace), agents: [librarian], origin: 'cli' }
      : {
          model: chooseModel(values.model, shell.env),
          tools: values['no-tools'] ? [] : [createClockTool()],
          instructions: INSTRUCTIONS,
          origin: 'cli',
        }
    const name = typeof options.model === 'string' ? options.model : options.model.id
    greet(screen, shell, values.demo ? DEMO_LABEL : `Model: ${name}`)
    return shell.stdin.isTTY && screen.isLive
      ? talk(options, screen, shell)
      : readLines(options, screen, shell)
  },
}

function greet(screen: Screen, { stdout, env }: Shell, model: string): void {
  const style = styleOf(stdout, env)
  screen.draw([
    '',
    paint(style, 'bold', 'Capstan'),
    paint(style, 'dim', toInertLine(model)),
    paint(style, 'dim', 'You can type while it works: it hears you before its next step.'),
    paint(style, 'dim', 'Ctrl-C or /stop stops it, /help shows more, /quit leaves.'),
    '',
  ])
}

/** A person at a terminal. */
async function talk(options: SessionOptions, screen: Screen, shell: Shell): Promise<number> {
  const style = () => styleOf(shell.stdout, shell.env)
  const footer = () => [
    paint(style(), 'cyan', PROMPT) + tailToWidth(toInertLine(editor.typed), style().width - PROMPT.length),
  ]
  const conversation = new Conversation(options, { screen, env: shell.env, footer })
  const { promise: over, resolve: leave, reject: giveUp } = Promise.withResolvers<void>()
  let warned = false

  const editor = createLineEditor(shell, {
    onKey: () => conversation.refresh(),
    onEnd: () => void conversation.take('/quit').then(leave, giveUp),
    onInterrupt() {
      if (conversation.isRunning) return conversation.stop()
      if (editor.typed !== '') return editor.clear()
      if (warned) return editor.close()
      warned = true
      screen.draw(['', '  Press Ctrl-C again to leave.', ''])
      editor.show()
    },
    onLine(line) {
      warned = false
      editor.hide()
      const work = conversation.take(line)
      conversation.refresh()
      work.then(() => {
        if (conversation.isOver) editor.close()
        else if (!conversation.isRunning) editor.show()
      }, giveUp)
    },
  })
  editor.show()
  await over
  screen.draw([''])
  return EXIT.done
}

/** A script: one line, one turn. */
async function readLines(options: SessionOptions, screen: Screen, shell: Shell): Promise<number> {
  const conversation = new Conversation(options, { screen, env: shell.env })
  const lines = createInterface({ input: shell.stdin })
  let code: number = EXIT.done
  const letGo = stopOnInterrupt(shell, () => {
    code = EXIT.aborted
    conversation.isOver = true
    conversation.stop()
    lines.close()
  })
  try {
    for await (const line of lines) {
      if (conversation.isOver) break
      if (line.trim() !== '') screen.draw([PROMPT + toInertLine(line)])
      await conversation.take(line)
    }
    return code
  } finally {
    letGo()
  }
}
