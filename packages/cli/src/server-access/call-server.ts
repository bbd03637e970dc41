import type { ApiClient, ApiError, ApiErrorCode } from '@capstan/client'
import type { FailureClass } from '@capstan/protocol'
import { VERSION } from '@capstan/protocol'
import { toPrintableLine } from '../terminal/printable.ts'
import { CommandError } from '../shell/shell.ts'
import type { ServerAddress } from './server-file.ts'

/** Calls the API of the server. Rejects with a `CommandError` that has the reason. */
export type CallServer = <Answer>(call: (api: ApiClient) => Promise<Answer>) => Promise<Answer>

/** What an open connection to the server needs. */
export interface ServerAccess {
  readonly call: CallServer
  /** The install token: who has it acts as the owner. */
  readonly token: string
}

/**
 * Opens the API of the server that owns a folder, with the token that is stored in the folder. Throws a `CommandError`
 * when the server does not answer or is of another version, unless any version will do.
 */
export async function openServerApi(
  home: string,
  server: ServerAddress,
  options: { readonly anyVersion?: boolean } = {},
): Promise<CallServer> {
  return (await openServer(home, server, options)).call
}

/** As `openServerApi`, with the token. */
export async function openServer(
  home: string,
  server: ServerAddress,
  { anyVersion = false }: { readonly anyVersion?: boolean } = {},
): Promise<ServerAccess> {
  // Loaded here, because most commands need neither.
  const [{ ApiError: ApiProblem, createApiClient }, { openAuth }] = await Promise.all([
    import('@capstan/client'),
    import('@capstan/server'),
  ])
  const { token } = openAuth({ folder: home })
  const api = createApiClient({ base: server.url, headers: { authorization: `Bearer ${token}` } })
  const call: CallServer = async (use) => {
    try {
      return await use(api)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      throw toCommandError(error, server)
    }
  }
  if (!anyVersion) refuseOtherVersion((await call((health) => health.health())).version, server)
  return { call, token }
}

function refuseOtherVersion(version: string, { url }: ServerAddress): void {
  if (version === VERSION) return
  throw new CommandError(
    `The server at ${toPrintableLine(url)} is of version ${toPrintableLine(version)}, and this command of version ${VERSION}.`,
    { class: 'conflict', next: 'Stop the server and start it again with "capstan serve" of this version.' },
  )
}

const CLASSES: Partial<Readonly<Record<ApiErrorCode, FailureClass>>> = {
  invalid: 'invalid_input',
  signed_out: 'bad_credentials',
  login_again: 'bad_credentials',
  forbidden: 'missing_permission',
  not_found: 'not_found',
  conflict: 'conflict',
  held: 'blocked_by_policy',
  too_large: 'too_large',
  rate_limited: 'rate_limited',
  limit_reached: 'quota_exhausted',
  unavailable: 'service_unavailable',
  internal: 'service_unavailable',
}

/** The error of a command whose server is not there. */
export const notAnswering = ({ pid, url }: ServerAddress): CommandError =>
  new CommandError(`The server at ${toPrintableLine(url)} does not answer.`, {
    class: 'service_unavailable',
    next: `Look whether process ${pid} still works, or stop it and run "capstan serve".`,
  })

/** What a refusal of the server means to the user of a command. */
function toCommandError({ code, message }: ApiError, server: ServerAddress): CommandError {
  if (code === 'unreachable') return notAnswering(server)
  if (code === 'held')
    return new CommandError('Everything is stopped.', {
      class: 'blocked_by_policy',
      next: 'Run "capstan release" to let turns start again.',
    })
  return new CommandError(toPrintableLine(message), { class: CLASSES[code] ?? 'unknown' })
}
