import type { FactList, FactPatch, MemoryFact } from '@capstan/protocol'
import { useApi } from '../../socket/server-context.tsx'
import type { Loaded } from '../../socket/use-loaded.ts'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useReason } from '../../socket/use-reason.ts'
import { useT } from '../../i18n/use-t.ts'
import { useToast } from '../../ui/overlays/toast.tsx'
import { useMemoryChange } from '../use-memory-change.ts'

export interface Facts extends Loaded<FactList> {
  /** Changes a fact and says so. False: it could not be changed, and the person was told why. */
  readonly change: (fact: MemoryFact, patch: FactPatch) => Promise<boolean>
}

/** The facts about the person, kept up to date. */
export function useFacts(): Facts {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const toReason = useReason()
  const loaded = useLoaded('memory facts', (signal) => api.facts({ signal }))
  useMemoryChange(loaded)
  const { data, setData, reload } = loaded
  return {
    ...loaded,
    async change(fact, patch) {
      try {
        const changed = await api.changeFact(fact.id, patch)
        if (data)
          setData({ ...data, facts: data.facts.map((one) => (one.id === changed.id ? changed : one)) })
        toast({ text: t(DONE[patch.status ?? 'saved']) })
        return true
      } catch (error) {
        toast({ text: toReason(error), tone: 'fail' })
        // It may have been answered or forgotten elsewhere.
        reload()
        return false
      }
    },
  }
}

const DONE = {
  accepted: 'memory.facts.isAccepted',
  rejected: 'memory.facts.isRejected',
  saved: 'memory.facts.isSaved',
} as const
