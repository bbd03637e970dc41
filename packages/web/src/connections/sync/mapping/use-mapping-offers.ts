import { ApiError } from '@capstan/client'
import type { ActionRow, ProposedMapping } from '@capstan/protocol'
import { useApi } from '../../../socket/server-context.tsx'
import type { Loaded } from '../../../socket/use-loaded.ts'
import { useLoaded } from '../../../socket/use-loaded.ts'

/** What a person can choose from. */
export interface MappingOffers {
  /** Empty: nothing fits together clearly. */
  readonly proposals: readonly ProposedMapping[]
  /** Why nothing could be proposed. */
  readonly why?: 'refused' | 'no-answer'
  /** The actions of the server that only read. */
  readonly actions: readonly ActionRow[]
}

/** Asks the server for proposals, and for its actions. Without an answer the form can be filled in all the same. */
export function useMappingOffers(slug: string): Loaded<MappingOffers> {
  const api = useApi()
  return useLoaded<MappingOffers>(`mapping ${slug}`, async (signal) => {
    const [found, actions] = await Promise.all([
      api.proposeMappings(slug, { signal }).catch(toWhy),
      api.actions(slug, { signal }).then(
        (list) => list.actions,
        () => [],
      ),
    ])
    return { ...found, actions: actions.filter(({ effect }) => effect === 'read') }
  })
}

function toWhy(error: unknown): Pick<MappingOffers, 'proposals' | 'why'> {
  if (!(error instanceof ApiError)) throw error
  if (error.code === 'conflict') return { proposals: [], why: 'refused' }
  if (error.code === 'unavailable') return { proposals: [], why: 'no-answer' }
  throw error
}
