import { useState } from 'react'
import { useApi } from '../socket/server-context.tsx'
import type { HiddenValuesProps } from './hidden-values.tsx'

export interface Revealed {
  readonly state: HiddenValuesProps['state']
  /** The exact arguments, while they are shown. */
  readonly value: unknown
  /** They were on the screen at least once. */
  readonly wasSeen: boolean
  readonly toggle: () => void
}

/** Fetches the exact arguments of an open approval when the person asks for them. They stay in this component only. */
export function useRevealed(approvalId: string): Revealed {
  const api = useApi()
  const [state, setState] = useState<Revealed['state']>('hidden')
  const [exact, setExact] = useState<{ readonly arguments: unknown }>()

  async function show(): Promise<void> {
    setState('loading')
    try {
      setExact(await api.revealApproval(approvalId))
      setState('shown')
    } catch {
      setState('failed')
    }
  }
  return {
    state,
    value: state === 'shown' ? exact?.arguments : undefined,
    wasSeen: exact !== undefined,
    toggle: () => (state === 'shown' ? setState('hidden') : void show()),
  }
}
