import type { TriggerSourceList } from '@capstan/protocol'
import { useApi, useServerEvent } from '../../socket/server-context.tsx'
import type { Loaded } from '../../socket/use-loaded.ts'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useFieldProblem } from '../../socket/use-field-problem.ts'

/** Answers with why it was refused. Undefined: it was done, and the list is read again. */
export type Change = (work: () => Promise<unknown>) => Promise<string | undefined>

export interface Sources extends Loaded<TriggerSourceList> {
  readonly change: Change
}

/** The sources, kept up to date. */
export function useSources(): Sources {
  const api = useApi()
  const toProblem = useFieldProblem()
  const loaded = useLoaded('trigger sources', (signal) => api.triggerSources({ signal }))
  useServerEvent('jobs-change', loaded.reload)
  return {
    ...loaded,
    async change(work) {
      try {
        await work()
        loaded.reload()
        return undefined
      } catch (error) {
        return toProblem(error).text
      }
    },
  }
}
