import { setTimeout as wait } from 'node:timers/promises'
import type { SyncView } from '@capstan/protocol'
import type { CallServer } from '../../server-access/call-server.ts'
import type { Shell } from '../../shell/shell.ts'
import { createScreen, createSilentScreen } from '../../terminal/live-screen.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import { drawProgress } from './draw-sync.ts'

const POLL_MS = 300

/** Waits until a run has ended that had not when `before` was read, and shows its progress. Ctrl-C ends the waiting alone. */
export async function followSync(
  call: CallServer,
  before: SyncView,
  { shell, json }: { readonly shell: Shell; readonly json: boolean },
): Promise<{ readonly sync: SyncView; readonly hasEnded: boolean }> {
  const screen = json ? createSilentScreen(shell.stdout) : createScreen(shell.stdout, shell.env)
  const stopped = new AbortController()
  const release = shell.onInterrupt(() => stopped.abort())
  try {
    for (;;) {
      const sync = await call((api) => api.sync(before.connectionId))
      const hasEnded = isOver(sync, before)
      if (hasEnded || stopped.signal.aborted) return { sync, hasEnded }
      screen.draw([], [toPrintableLine(drawProgress(sync))])
      await wait(POLL_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  } finally {
    release()
    screen.draw([], [])
  }
}

/** A run that found nothing more to do today is over, too. */
function isOver({ isOn, job }: SyncView, before: SyncView): boolean {
  if (!isOn || !job || job.status === 'paused' || job.status === 'failed') return true
  return (
    job.status === 'waiting' && job.lastEndedAt !== undefined && job.lastEndedAt !== before.job?.lastEndedAt
  )
}
