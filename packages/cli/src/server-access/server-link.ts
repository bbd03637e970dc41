import type { Client } from '@capstan/client'
import type { TurnEvent } from '@capstan/protocol'
import { CommandError } from '../shell/shell.ts'
import type { CallServer, ServerAccess } from './call-server.ts'
import { notAnswering, openServer } from './call-server.ts'
import type { ServerAddress } from './server-file.ts'
import { findServer } from './server-file.ts'

const LOOK_EVERY_MS = 300
/** How long a server that ended is waited for. */
const PATIENCE_MS = 30_000

/** Who watches a thread. */
interface Watcher {
  readonly onEvent: (event: TurnEvent) => void
  readonly onNote: (sentence: string) => void
  /** Nothing more comes. */
  readonly onGone: (why: CommandError) => void
}

/** The server of a data folder: commands, and the events of a thread across restarts of the server. */
export class ServerLink {
  readonly #home: string
  readonly #patienceMs: number
  #server: ServerAddress
  #access: ServerAccess
  #client: Client | undefined
  #seen = 0
  #lostAt: number | undefined
  #isLooking = false
  #isClosed = false

  private constructor(home: string, server: ServerAddress, access: ServerAccess, patienceMs: number) {
    this.#home = home
    this.#server = server
    this.#access = access
    this.#patienceMs = patienceMs
  }

  /** Throws a `CommandError` when the server does not answer. */
  static async open(home: string, server: ServerAddress, patienceMs = PATIENCE_MS): Promise<ServerLink> {
    return new ServerLink(home, server, await openServer(home, server), patienceMs)
  }

  get url(): string {
    return this.#server.url
  }

  /** The number of the newest event that was delivered. */
  get seen(): number {
    return this.#seen
  }

  /** Calls the API of the server, as long as it owns the folder. */
  readonly call: CallServer = async (use) => {
    if (findServer(this.#home)?.url !== this.#server.url) throw notAnswering(this.#server)
    return this.#access.call(use)
  }

  /** Delivers every event after a number, once and in order. */
  async watch(threadId: string, after: number, watcher: Watcher): Promise<void> {
    this.#seen = after
    await this.#follow(threadId, watcher)
  }

  close(): void {
    this.#isClosed = true
    this.#client?.close()
  }

  async #follow(threadId: string, watcher: Watcher): Promise<void> {
    const { createClient } = await import('@capstan/client')
    if (this.#isClosed) return
    const client = createClient({ url: this.#server.url, token: this.#access.token })
    this.#client = client
    client.watchThread(threadId, {
      after: this.#seen,
      onEvent: (event) => {
        this.#seen = event.seq
        watcher.onEvent(event)
      },
      onState: (state) => {
        if (state === 'live') this.#found(watcher)
        else if (state === 'offline') void this.#lost(threadId, watcher)
        else if (state === 'unknown') watcher.onGone(deleted())
        else if (state === 'signed-out') watcher.onGone(notAccepted())
      },
    })
  }

  #found({ onNote }: Watcher): void {
    if (this.#lostAt === undefined) return
    this.#lostAt = undefined
    onNote('The server is back.')
  }

  /**
   * Waits for the server. It may come back at another address. Until it owns the folder again nothing is tried at the old
   * one: another program may listen there, and must not receive the token.
   */
  async #lost(threadId: string, watcher: Watcher): Promise<void> {
    this.#client?.close()
    if (this.#lostAt === undefined)
      watcher.onNote(
        'The connection to the server is lost. Waiting for it to come back; Ctrl-C twice leaves.',
      )
    this.#lostAt ??= performance.now()
    if (this.#isLooking) return
    this.#isLooking = true
    while (!this.#isClosed) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      const server = findServer(this.#home)
      if (server && (await this.#reopen(server, threadId, watcher))) break
      if (!server && performance.now() - this.#lostAt > this.#patienceMs) {
        watcher.onGone(this.#ended(threadId))
        break
      }
    }
    this.#isLooking = false
  }

  /** False when it has only begun to start. */
  async #reopen(server: ServerAddress, threadId: string, watcher: Watcher): Promise<boolean> {
    try {
      this.#access = await openServer(this.#home, server)
      this.#server = server
      await this.#follow(threadId, watcher)
      return true
    } catch {
      return false
    }
  }

  #ended(threadId: string): CommandError {
    return new CommandError(`The server at ${this.#server.url} has ended and did not come back.`, {
      class: 'service_unavailable',
      next: `Start it with "capstan serve": the turn goes on there. "capstan chat --thread ${threadId}" shows it.`,
    })
  }
}

const deleted = (): CommandError =>
  new CommandError('The thread was deleted.', {
    class: 'not_found',
    next: '"capstan threads" lists those that there are.',
  })

const notAccepted = (): CommandError =>
  new CommandError('The server no longer accepts the token of the data folder.', {
    class: 'bad_credentials',
    next: 'Start the chat again.',
  })
