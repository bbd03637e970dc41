import type { ScopeSettings, ToolkitList } from '@capstan/protocol'
import { useLayoutEffect, useRef } from 'react'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import type { Loaded } from '../socket/use-loaded.ts'
import { useLoaded } from '../socket/use-loaded.ts'
import { applyConnection, applyScopes } from './toolkit-state.ts'

export interface Toolkits extends Loaded<ToolkitList> {
  /** Shows the change at once. When the server refuses it, shows the old state and rejects. */
  readonly setScopes: (toolkit: string, scopes: ScopeSettings) => Promise<void>
}

/** The list of apps, kept up to date by server events. */
export function useToolkits(): Toolkits {
  const api = useApi()
  const loaded = useLoaded('toolkits', (signal) => api.toolkits({ signal }))
  const { data, reload, setData } = loaded
  // Two updates may arrive before the next render.
  const newest = useRef(data)
  useLayoutEffect(() => {
    newest.current = data
  }, [data])

  function show(list: ToolkitList): void {
    newest.current = list
    setData(list)
  }

  useServerEvent('toolkits-change', reload)
  useServerEvent('connection-change', (connection) => {
    const next = newest.current && applyConnection(newest.current, connection)
    if (next) show(next)
    else reload()
  })

  return {
    ...loaded,
    async setScopes(toolkit, scopes) {
      const before = newest.current?.toolkits.find(({ slug }) => slug === toolkit)?.scopes
      if (newest.current) show(applyScopes(newest.current, toolkit, scopes))
      try {
        const kept = await api.setScopes(toolkit, scopes)
        if (newest.current) show(applyScopes(newest.current, toolkit, kept))
      } catch (error) {
        if (newest.current && before) show(applyScopes(newest.current, toolkit, before))
        throw error
      }
    },
  }
}
