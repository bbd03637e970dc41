import { NO_USAGE, sumUsage } from '@capstan/protocol'
import type { CallId, CallRow, RunRow, UsageRow } from '@capstan/protocol'
import { cutText } from '../../text/cut-text.ts'
import type { RunStore } from '../store.ts'
import type { CallState, RunState, Tables, ThreadTable } from './tables.ts'

const MAX_TEXT_CHARS = 200

export function createMemoryRuns(open: () => Tables): RunStore {
  const threadsOf = (userId: string, threadId: ThreadTable['row']['id'] | undefined): ThreadTable[] => {
    const { threads } = open()
    const one = threadId !== undefined && threads.get(threadId)
    const all = threadId === undefined ? [...threads.values()] : one ? [one] : []
    return all.filter(({ row }) => row.userId === userId)
  }

  return {
    get(id) {
      const run = open().runs.get(id)
      return run && toRow(run)
    },
    findByMessage(threadId, messageId) {
      const run = open().threads.get(threadId)?.byMessage.get(messageId)
      return run && toRow(run)
    },
    list({ userId, threadId, status, depth, before = Infinity, limit }) {
      return threadsOf(userId, threadId)
        .flatMap(({ runs }) => runs)
        .filter(
          (run) =>
            (status === undefined || run.status === status) &&
            (depth === undefined || run.start.depth === depth) &&
            run.startedAt < before,
        )
        .toReversed()
        .toSorted((a, b) => b.startedAt - a.startedAt)
        .slice(0, limit)
        .map(toRow)
    },
    unfinished() {
      return [...open().runs.values()]
        .filter((run) => run.start.depth === 0 && !run.outcome)
        .toSorted((a, b) => a.startedAt - b.startedAt)
        .map(toRow)
    },
    findWaiting({ kind, id }) {
      for (const run of open().runs.values()) {
        if (run.waitsFor?.kind === kind && run.waitsFor.id === id) return toRow(turnOf(run))
      }
      return undefined
    },
    tree(id) {
      const root = open().runs.get(id)
      if (!root) return []
      const runs = [root]
      // Grows while it is walked.
      for (const run of runs) runs.push(...run.children)
      return runs.map(toRow)
    },
    calls(runIds) {
      const { runs } = open()
      const found: { readonly row: CallRow; readonly tick: number }[] = []
      for (const runId of new Set(runIds)) {
        const run = runs.get(runId)
        if (!run) continue
        for (const [callId, call] of run.calls)
          found.push({ row: toCallRow(run, callId, call), tick: call.tick })
      }
      return found.toSorted((a, b) => a.tick - b.tick).map(({ row }) => row)
    },
    usage({ userId, threadId, since = -Infinity }) {
      const rows = new Map<string, UsageRow>()
      for (const { usages } of threadsOf(userId, threadId)) {
        for (const { at, model, usage } of usages) {
          if (at < since) continue
          const row = rows.get(model) ?? { model, calls: 0, usage: NO_USAGE }
          rows.set(model, { model, calls: row.calls + 1, usage: sumUsage(row.usage, usage) })
        }
      }
      return [...rows.values()]
    },
  }
}

function turnOf(run: RunState): RunState {
  return run.parent ? turnOf(run.parent) : run
}

function toRow(run: RunState): RunRow {
  const { start, thread, startedAt, endedAt, status, resumes, waitsFor, outcome } = run
  return {
    id: start.runId,
    threadId: thread.row.id,
    ...(start.parent && { parent: start.parent }),
    agent: start.agent,
    depth: start.depth,
    origin: start.origin,
    model: start.model,
    status,
    text: cutText(start.text, MAX_TEXT_CHARS),
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    resumes,
    ...(waitsFor && { waitsFor }),
    ...(outcome && { outcome }),
  }
}

function toCallRow({ start, thread }: RunState, callId: CallId, { intent, result: end }: CallState): CallRow {
  const effect = end?.effect ?? end?.audit?.effect ?? intent?.effect
  const digest = end?.audit?.digest ?? intent?.digest
  const status = end ? (end.result.ok ? 'ok' : 'failed') : 'started'
  return {
    runId: start.runId,
    threadId: thread.row.id,
    callId,
    tool: (end?.result ?? intent)!.tool,
    ...(effect && { effect }),
    status,
    ...(end?.audit && { decision: end.audit.decision }),
    ...(end?.result.failure && { failure: end.result.failure }),
    at: (end ?? intent)!.at,
    durationMs: end?.result.durationMs ?? 0,
    outputBytes: end?.result.outputBytes ?? 0,
    ...(digest !== undefined && { digest }),
  }
}
