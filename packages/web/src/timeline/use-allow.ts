import type { FailureRemedy, ScopeSettings } from '@capstan/protocol'
import { ApiError } from '@capstan/client'
import { useState } from 'react'
import { useApi, useServerEvent } from '../socket/server-context.tsx'

/**
 * Allows the kind of action that a failure names, in its app. The server asks for whatever right that needs. A change made
 * elsewhere is noticed.
 */
export function useAllow({ toolkit, effect }: FailureRemedy): {
  readonly state: 'off' | 'busy' | 'allowed'
  /** Rejects when it could not be allowed. */
  readonly allow: () => Promise<void>
} {
  const api = useApi()
  const [state, setState] = useState<'off' | 'busy' | 'allowed'>('off')

  async function readScopes(): Promise<ScopeSettings> {
    const app = (await api.toolkits()).toolkits.find(({ slug }) => slug === toolkit)
    if (!app) throw new ApiError({ code: 'not_found', message: 'There is no such app any more.' })
    return app.scopes
  }

  useServerEvent('toolkits-change', () => {
    if (state === 'busy') return
    readScopes().then(
      (scopes) => setState(scopes[effect] ? 'allowed' : 'off'),
      // The button stays as it is, and says why when it is pressed.
      () => undefined,
    )
  })

  async function allow(): Promise<void> {
    setState('busy')
    try {
      await api.setScopes(toolkit, { ...(await readScopes()), [effect]: true })
      setState('allowed')
    } catch (error) {
      setState('off')
      throw error
    }
  }
  return { state, allow }
}
