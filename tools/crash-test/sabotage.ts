import type { TurnEvent } from '@capstan/protocol'
import type { LedgerRecord, Store } from '@capstan/harness/stores'

/** Ways to break the harness on purpose, to check that the test notices. */
export const SABOTAGES = [
  'forget-intents', // intents are not stored
  'forget-results', // results are not stored
  'late-commits', // a commit returns before it is durable
  'lost-events', // some events are not reported
  'double-events', // some events are reported twice
  'forget-questions', // a resumed call does not find the question that was asked about it
  'no-resume', // nothing is resumed
] as const

/** The name of a sabotage. */
export type Sabotage = (typeof SABOTAGES)[number]

/** A store with the sabotage built in. */
export function sabotageStore(store: Store, sabotage: Sabotage | undefined): Store {
  const { ledger } = store
  const dropping = (type: LedgerRecord['type']): Store => ({
    ...store,
    ledger: {
      ...bound(ledger),
      commit: (threadId, records) =>
        ledger.commit(
          threadId,
          records.filter((record) => record.type !== type),
        ),
    },
  })
  if (sabotage === 'forget-intents') return dropping('call-intent')
  if (sabotage === 'forget-results') return dropping('call-result')
  if (sabotage === 'forget-questions') return forgetQuestions(store)
  if (sabotage !== 'late-commits') return store
  let late: (() => unknown)[] = []
  const flush = () => {
    const due = late
    late = []
    for (const write of due) write()
  }
  return {
    ...store,
    ledger: {
      ...bound(ledger),
      commit(threadId, records) {
        if (late.push(() => ledger.commit(threadId, records)) > 8 || records.some(isEnding)) flush()
      },
    },
    close() {
      flush()
      return store.close()
    },
  }
}

/** The port is an object with methods, so all others are passed on. */
function forgetQuestions(store: Store): Store {
  const approvals = new Proxy(store.approvals, {
    get: (target, name) => (name === 'findByCall' ? () => undefined : (Reflect.get(target, name) as unknown)),
  })
  return { ...store, approvals }
}

const isEnding = ({ type }: LedgerRecord) => type === 'run-end' || type === 'run-start'

function bound(ledger: Store['ledger']): Store['ledger'] {
  return {
    commit: ledger.commit.bind(ledger),
    sync: ledger.sync.bind(ledger),
    ...(ledger.announceAfterSync && { announceAfterSync: true }),
    read: ledger.read.bind(ledger),
    readEvents: ledger.readEvents.bind(ledger),
    lastSeq: ledger.lastSeq.bind(ledger),
    readMedia: ledger.readMedia.bind(ledger),
  }
}

/** An event callback with the sabotage built in. */
export function sabotageWatcher(
  watch: (event: TurnEvent) => void,
  sabotage: Sabotage | undefined,
): (event: TurnEvent) => void {
  if (sabotage === 'lost-events') return (event) => event.seq % 7 !== 0 && watch(event)
  if (sabotage !== 'double-events') return watch
  return (event) => {
    watch(event)
    if (event.seq % 7 === 0) watch(event)
  }
}
