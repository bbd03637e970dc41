import type { ApiProblem } from '@capstan/protocol'
import { CommandError } from '../shell/shell.ts'
import type { ServerAddress } from './server-file.ts'

/** Sends a request to the server. Rejects with a `CommandError` that has the reason. */
export type ServerRequest = <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>

/** Requests to the server that owns a folder, with the token that is stored in the folder. */
export async function createServerRequest(home: string, server: ServerAddress): Promise<ServerRequest> {
  const { openAuth } = await import('@capstan/server')
  const { token } = openAuth({ folder: home })

  return async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    let response: Response
    try {
      response = await fetch(new URL(path, server.url), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? undefined : { 'content-type': 'application/json' }),
        },
        redirect: 'error',
        ...(body === undefined ? undefined : { body: JSON.stringify(body) }),
      })
    } catch {
      throw new CommandError(`The server at ${server.url} does not answer.`)
    }
    if (response.status === 204) return undefined as Answer
    const answer: unknown = await response.json().catch(() => undefined)
    if (response.ok) return answer as Answer
    const problem = (answer as ApiProblem | undefined)?.error
    throw new CommandError(problem?.message ?? `The server answered with status ${response.status}.`)
  }
}
