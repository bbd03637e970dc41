import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()

/** Ends the group of this child with our process. A group of its own gets no signal when the terminal closes. */
export function watchExit(child: ChildProcess): void {
  if (running.size === 0) process.once('exit', killAll)
  running.add(child)
}

/** The child has ended. */
export function unwatchExit(child: ChildProcess): void {
  running.delete(child)
  if (running.size === 0) process.off('exit', killAll)
}

/** To a child that was started `detached`, and what it has started. Never throws. */
export function signalGroup({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // The group is gone.
  }
}

function killAll(): void {
  for (const child of running) signalGroup(child, 'SIGKILL')
}
