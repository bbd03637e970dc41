import type { ConnectionStatus, FailureClass, SyncProgress, SyncView } from '@capstan/protocol'

/** What one line says about a sync. */
export type SyncState =
  | { readonly type: 'off' | 'soon' | 'checking' | 'sign-in' | 'reading' | 'no-source' }
  | { readonly type: 'running'; readonly done: number; readonly total?: number }
  | { readonly type: 'well'; readonly doneAt: number; readonly next: number }
  | { readonly type: 'goes-on'; readonly done: number; readonly next: number }
  | { readonly type: 'used-up'; readonly what: 'requests' | 'tokens'; readonly next: number }
  | { readonly type: 'paused'; readonly doneAt?: number }
  /** Without `next` it has given up. */
  | { readonly type: 'failed'; readonly failure: FailureClass; readonly next?: number }

/** The state of a sync at a time. An account that is not connected now waits for a sign-in, whatever its job says. Pure. */
export function toSyncState(
  { isOn, job, progress, lastDoneAt, usedUp }: SyncView,
  account: ConnectionStatus,
  now: number,
): SyncState {
  if (!isOn || !job) return { type: 'off' }
  const doneAt = lastDoneAt === undefined ? {} : { doneAt: lastDoneAt }
  if (job.status === 'paused') return { type: 'paused', ...doneAt }
  if (account !== 'active') return { type: 'sign-in' }
  if (job.status === 'running') return toRunning(progress, lastDoneAt !== undefined)
  const { lastFailure, nextAt = now } = job
  if (job.status === 'failed') return { type: 'failed', failure: lastFailure?.class ?? 'unknown' }
  if (lastFailure) return toFailed(lastFailure.class, nextAt)
  if (nextAt <= now) return { type: 'soon' }
  if (usedUp) return { type: 'used-up', what: usedUp, next: nextAt }
  if (lastDoneAt === undefined) return { type: 'goes-on', done: countDone(progress), next: nextAt }
  return { type: 'well', doneAt: lastDoneAt, next: nextAt }
}

/** Of a first sync the whole is known, if the app said so. Later ones only look for what changed. */
function toRunning(progress: SyncProgress | undefined, isLater: boolean): SyncState {
  if (isLater) return { type: 'checking' }
  const done = countDone(progress)
  const total = progress?.expected
  return { type: 'running', done, ...(total !== undefined && total >= done && { total }) }
}

function toFailed(failure: FailureClass, next: number): SyncState {
  if (failure === 'not_connected' || failure === 'bad_credentials') return { type: 'sign-in' }
  if (failure === 'blocked_by_policy') return { type: 'reading' }
  if (failure === 'unsupported') return { type: 'no-source' }
  return { type: 'failed', failure, next }
}

const countDone = (progress: SyncProgress | undefined): number =>
  progress ? progress.added + progress.changed + progress.unchanged + progress.tooOld + progress.failed : 0
