import type { ApiClient } from '@capstan/client'
import { CommandError } from '../shell/shell.ts'
import type { ServerAddress } from './server-file.ts'

/** Calls the API of the server. Rejects with a `CommandError` that has the reason. */
export type CallServer = <Answer>(call: (api: ApiClient) => Promise<Answer>) => Promise<Answer>

/** Opens the API of the server that owns a folder, with the token that is stored in the folder. */
export async function openServerApi(home: string, server: ServerAddress): Promise<CallServer> {
  // Loaded here, because most commands need neither.
  const [{ ApiError, createApiClient }, { openAuth }] = await Promise.all([
    import('@capstan/client'),
    import('@capstan/server'),
  ])
  const { token } = openAuth({ folder: home })
  const api = createApiClient({ base: server.url, headers: { authorization: `Bearer ${token}` } })
  return async (call) => {
    try {
      return await call(api)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new CommandError(
        error.code === 'unreachable' ? `The server at ${server.url} does not answer.` : error.message,
      )
    }
  }
}
