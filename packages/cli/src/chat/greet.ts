import type { Shell } from '../shell/shell.ts'
import type { Screen } from '../terminal/live-screen.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import { paint, styleOf } from '../terminal/style.ts'

/** What stands above a chat: which model answers, and how to use it. */
export function greet(screen: Screen, { stdout, env }: Shell, ...about: readonly string[]): void {
  const style = styleOf(stdout, env)
  screen.draw([
    '',
    paint(style, 'bold', 'Capstan'),
    ...about.map((line) => paint(style, 'dim', toPrintableLine(line))),
    paint(style, 'dim', 'You can type while it works: the model reads it before its next step.'),
    paint(style, 'dim', 'Ctrl-C or /stop stops it, /help shows more, /quit leaves.'),
    '',
  ])
}
