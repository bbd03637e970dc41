import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Runs a program, and kills it after the first line that is `isLast`. Answers with its lines once it has ended. */
export async function runUntil(
  program: URL,
  args: readonly string[],
  isLast: (line: string) => boolean,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    output.push(line)
    if (isLast(line)) child.kill('SIGKILL')
  })
  await Promise.all([once(child, 'exit'), once(lines, 'close')])
  return output
}

/** Runs a program to its own end. */
export const runToEnd = (program: URL, args: readonly string[]): Promise<readonly string[]> =>
  runUntil(program, args, () => false)
