import type { AppChange } from '@capstan/harness/connectors'
import type { Occurrence } from '../occurrence.ts'
import type { WatchState } from './watch-state.ts'
import { fingerprint } from './watch-state.ts'

/** Of one source. What changes beyond is noticed again when it changes again. */
const MOST_PER_HOUR = 30
const HOUR_MS = 3_600_000
const MOST_VERSIONS = 200
const TEXT_CHARS = 6_000

/** What becomes of a change: the next state, and what happened, if anything did. */
interface TakenChange {
  readonly state: WatchState
  readonly occurrence?: Occurrence
}

/** Decides whether a change is one, and whether there were too many. Pure. */
export function takeChange(state: WatchState, change: AppChange, now: number): TakenChange {
  const known = knownOf(state, change)
  if (known === change.version) return { state }
  // The first list is how it was at the beginning.
  if (change.type === 'list' && known === undefined) return { state: { ...state, list: change.version } }
  const recent = state.recent.filter((at) => at > now - HOUR_MS && at <= now)
  // The version is not kept: it is reported when it is noticed again later.
  if (recent.length > MOST_PER_HOUR) return { state }
  const { epoch, count } = state
  const counted = { ...state, count: count + 1, recent: [...recent, now] }
  if (recent.length === MOST_PER_HOUR)
    return { state: counted, occurrence: { ...MORE, externalId: `${epoch} ${count} more` } }
  return {
    state: withVersion(counted, change),
    occurrence: { ...describe(change), externalId: `${epoch} ${count} ${idOf(change)} ${change.version}` },
  }
}

const MORE = {
  label: 'More changes than are reported in an hour',
  payload: JSON.stringify({ change: 'more' }),
}

const idOf = (change: AppChange): string => (change.type === 'list' ? 'list' : fingerprint(change.id))

function knownOf({ list, versions }: WatchState, change: AppChange): string | undefined {
  if (change.type === 'list') return list
  const id = idOf(change)
  return Object.hasOwn(versions, id) ? versions[id] : undefined
}

function withVersion(state: WatchState, change: AppChange): WatchState {
  if (change.type === 'list') return { ...state, list: change.version }
  const { [idOf(change)]: _, ...others } = state.versions
  const kept = Object.entries(others).slice(1 - MOST_VERSIONS)
  return { ...state, versions: Object.fromEntries([...kept, [idOf(change), change.version]]) }
}

function describe(change: AppChange): Pick<Occurrence, 'label' | 'payload'> {
  if (change.type === 'list') {
    const { added, removed } = change
    return {
      label: 'The list of resources changed',
      payload: JSON.stringify({ change: 'list', added, removed }),
    }
  }
  const { id, title, text } = change
  return {
    label: `Changed: ${title || id}`,
    payload: JSON.stringify({
      change: 'changed',
      resource: id,
      title,
      ...(text === undefined ? { note: 'It could not be read.' } : { text: text.slice(0, TEXT_CHARS) }),
    }),
  }
}
