import { useApi } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'

/** The command that prints a new login link. The server knows its data folder; others see the plain command. */
export function useLoginCommand(): string {
  const api = useApi()
  const { data } = useLoaded('login-command', (signal) => api.health({ signal }))
  return data?.loginCommand ?? 'npx capstan login'
}
