import type { Settings, SettingsPatch } from '@capstan/protocol'
import { createContext, use, useCallback, useEffect, useMemo } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type { ApiError } from '@capstan/client'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { applyAppearance } from './apply-appearance.ts'

export interface SettingsState {
  /** Undefined until the settings are loaded. */
  readonly settings: Settings | undefined
  readonly error: ApiError | undefined
  readonly reload: () => void
  /** Rejects with an `ApiError`; then nothing is changed. */
  readonly change: (patch: SettingsPatch) => Promise<Settings>
}

const SettingsContext = createContext<SettingsState>({
  settings: undefined,
  error: undefined,
  reload: () => undefined,
  change: () => Promise.reject(new Error('There is no SettingsProvider above this component')),
})

export function useSettings(): SettingsState {
  return use(SettingsContext)
}

/** Loads the settings, reloads them when they change elsewhere, and applies their appearance. */
export function SettingsProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const api = useApi()
  const {
    data: settings,
    error,
    reload,
    setData,
  } = useLoaded('settings', (signal) => api.settings({ signal }))
  useServerEvent('settings-change', reload)

  useEffect(() => {
    if (settings) applyAppearance(settings)
  }, [settings])

  const change = useCallback(
    async (patch: SettingsPatch) => {
      const changed = await api.changeSettings(patch)
      setData(changed)
      return changed
    },
    [api, setData],
  )
  const state = useMemo(() => ({ settings, error, reload, change }), [settings, error, reload, change])
  return <SettingsContext value={state}>{children}</SettingsContext>
}
