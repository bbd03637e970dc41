import type { Me, UserRights } from '@capstan/protocol'
import { createContext, use } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { useApi } from './server-context.tsx'
import { useLoaded } from './use-loaded.ts'

/** The server refuses what is not allowed, so a page that does not know the rights offers everything. */
const EVERYTHING: UserRights = {
  changeModel: true,
  changeFolders: true,
  useFullMode: true,
  manageServers: true,
  manageMembers: true,
  seeDiagnostics: true,
}

const RightsContext = createContext<UserRights | undefined>(EVERYTHING)

/** What the user may do. Undefined until it is known. */
export function useRights(): UserRights | undefined {
  return use(RightsContext)
}

/** Loads who is logged in. */
export function MeProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const api = useApi()
  const { data, error } = useLoaded<Me>('me', (signal) => api.me({ signal }))
  const rights = data?.can ?? (error ? EVERYTHING : undefined)
  return <RightsContext value={rights}>{children}</RightsContext>
}
