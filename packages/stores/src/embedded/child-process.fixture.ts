import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface CommittingChild {
  readonly pid: number
  /** Kills it once it has said so many lines, and gives everything it said. */
  killAfter(lines: number): Promise<readonly string[]>
}

/** Another process that owns the folder. It is open when this settles. */
export async function startChild(folder: string, mode: 'idle' | 'commit'): Promise<CommittingChild> {
  const script = fileURLToPath(new URL('commit-until-killed.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [script, folder, mode], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  const said: string[] = []
  lines.on('line', (line) => said.push(line))
  const exit = once(child, 'exit')
  const heard = async (count: number): Promise<void> => {
    while (said.length < count) {
      const [end] = await Promise.race([once(lines, 'line'), exit.then(() => ['exit'])])
      if (end === 'exit') throw new Error('the other process has ended')
    }
  }
  await heard(1)
  return {
    pid: child.pid!,
    async killAfter(count) {
      await heard(count)
      child.kill('SIGKILL')
      await Promise.all([exit, once(lines, 'close')])
      return said
    },
  }
}
