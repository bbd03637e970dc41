import type { WaitsFor } from '@capstan/protocol'
import type { Recorder } from '../../ledger/recorder/recorder.ts'
import { TurnParked } from '../../turn/errors.ts'
import type { ParkedRuns } from '../../turn/parked-runs.ts'
import type { RunContext } from '../../turn/run-context.ts'

/** Parks the runs of one thread, and lets a sub-agent that is parked by itself go on. */
export interface Parking extends ParkedRuns {
  /**
   * Records what the run waits for, then throws `TurnParked` through the tree of runs. Of several things it waits for,
   * the runs below it have recorded all.
   */
  park(
    run: Pick<RunContext, 'runId' | 'clock' | 'branch'>,
    waits: readonly [WaitsFor, ...WaitsFor[]],
  ): Promise<never>
  /** What the parked runs of the turn wait for, in order. */
  readonly waits: readonly WaitsFor[]
  /** This has happened. True when a sub-agent of the running turn goes on with it. */
  settle(waitsFor: WaitsFor): boolean
}

/** Creates the parking of an open thread. */
export function createParking(recorder: Recorder, readArchive: ParkedRuns['readArchive']): Parking {
  /** In the order in which they were recorded. */
  const waits = new Map<string, WaitsFor>()
  const waiting = new Map<string, () => void>()
  /** What happened before anybody waited for it here. */
  const early = new Set<string>()
  return {
    get waits() {
      return [...waits.values()]
    },
    async park({ runId, clock, branch }, all) {
      const [waitsFor] = all
      const upTo = branch === undefined ? undefined : { upTo: branch }
      recorder.add({ type: 'run-park', at: clock.now(), runId, waitsFor, ...upTo })
      for (const one of all) waits.set(toKey(one), one)
      await recorder.commitAndSync()
      throw new TurnParked(all)
    },
    onSettled(all, work) {
      const keys = all.map(toKey)
      const forget = () => {
        for (const key of keys) if (waiting.get(key) === settled) waiting.delete(key)
      }
      const settled = () => {
        forget()
        work()
      }
      for (const key of keys) waiting.set(key, settled)
      const happened = keys.find((key) => early.has(key))
      if (happened !== undefined) {
        waits.delete(happened)
        settled()
      }
      return forget
    },
    settle(waitsFor) {
      const key = toKey(waitsFor)
      const settled = waiting.get(key)
      if (!settled) {
        early.add(key)
        return false
      }
      waits.delete(key)
      settled()
      return true
    },
    readArchive,
  }
}

const toKey = ({ kind, id }: WaitsFor): string => `${kind} ${id}`
