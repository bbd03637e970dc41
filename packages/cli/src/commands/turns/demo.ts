import { createSession } from '@capstan/harness'
import {
  CALM,
  DEMO_LABEL,
  DEMO_PROMPT,
  FAST,
  createDemoModel,
  createDemoTools,
  notesHelper,
} from '@capstan/demo'
import { wrap } from '../../terminal/display-width.ts'
import { createScreen, createSilentScreen } from '../../terminal/live-screen.ts'
import type { Style } from '../../terminal/style.ts'
import { paint, styleOf } from '../../terminal/style.ts'
import { createTurnView } from '../../render/turn-view.ts'
import { exitCodeOf } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { writeJson } from '../../shell/write.ts'
import { stopOnInterrupt } from '../../shell/stop-on-interrupt.ts'

const HELP = `Usage: capstan demo [--fast] [--json]

Runs one turn on a scripted model, offline: tools, a failed call, a sub-agent and the timeline.

  --fast    run without pauses
  --json    print every event as a line of JSON`

export const demo: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, {
      command: 'demo',
      options: { fast: { type: 'boolean' }, json: { type: 'boolean' } },
    })
    const screen = values.json ? createSilentScreen(shell.stdout) : createScreen(shell.stdout, shell.env)
    const style = styleOf(shell.stdout, shell.env)
    const prompt = wrap(DEMO_PROMPT, style.width - 2)
    screen.draw([
      '',
      paint(style, 'bold', 'Capstan'),
      paint(style, 'dim', DEMO_LABEL),
      '',
      ...prompt.map((line, index) => paint(style, 'cyan', `${index === 0 ? '>' : ' '} ${line}`)),
      '',
    ])
    const pace = values.fast || !screen.isLive ? FAST : CALM
    const view = createTurnView({ text: screen, rows: screen, env: shell.env })
    const session = createSession({
      model: createDemoModel(pace),
      tools: createDemoTools(pace),
      agents: [notesHelper],
      origin: 'cli',
      onEvent(event) {
        view.onEvent(event)
        if (values.json) writeJson(shell, event)
      },
    })
    const release = stopOnInterrupt(shell, () => session.stop())
    try {
      const outcome = await session.send(DEMO_PROMPT)
      if (outcome.type === 'done') {
        screen.draw(drawNextSteps(styleOf(shell.stdout, shell.env)))
      }
      return exitCodeOf(outcome)
    } finally {
      release()
      view.close()
    }
  },
}

const NEXT_STEPS = [
  ['npx capstan chat --demo', 'chat with the demo model'],
  ['npx capstan run "Say hello"', 'ask a real model: set OPENAI_API_KEY first, or add --model ollama/llama4'],
  ['README.md', 'use the engine in your own program'],
] as const

const COMMAND_WIDTH = 30

function drawNextSteps(style: Style): readonly string[] {
  return [
    '',
    paint(style, 'bold', 'What to try next'),
    ...NEXT_STEPS.flatMap(([command, words]) =>
      wrap(words, style.width - COMMAND_WIDTH - 2).map(
        (line, index) =>
          `  ${(index === 0 ? command : '').padEnd(COMMAND_WIDTH)}${paint(style, 'dim', line)}`,
      ),
    ),
    '',
  ]
}
