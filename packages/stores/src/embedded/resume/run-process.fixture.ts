import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Runs a program beside this file. Settles when it says a line that is the last one wanted, and it is gone. */
export async function runUntil(
  program: string,
  args: readonly string[],
  isLast: (line: string) => boolean,
): Promise<readonly string[]> {
  const script = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    said.push(line)
    if (isLast(line)) child.kill('SIGKILL')
  })
  await Promise.all([once(child, 'exit'), once(lines, 'close')])
  return said
}

/** Runs a program to its own end. */
export const runToEnd = (program: string, args: readonly string[]): Promise<readonly string[]> =>
  runUntil(program, args, () => false)
