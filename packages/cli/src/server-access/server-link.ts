import type { Client } from '@capstan/client'
import type { TurnEvent } from '@capstan/protocol'
import { CommandError } from '../shell/shell.ts'
import type { CallServer } from './call-server.ts'
import { openServer } from './call-server.ts'
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
  #call: CallServer
  #client: Client | undefined
  #seen = 0
  #lostAt: number | undefined
  #isClosed = false

  private constructor(home: string, server: ServerAddress, call: CallServer, patienceMs: number) {
    this.#home = home
    this.#server = server
    this.#call = call
    this.#patienceMs = patienceMs
  }

  /** Throws a `CommandError` when the server does not answer. */
  static async open(home: string, server: ServerAddress, patienceMs = PATIENCE_MS): Promise<ServerLink> {
    return new ServerLink(home, server, (await openServer(home, server)).call, patienceMs)
  }

  get url(): string {
    return this.#server.url
  }

  /** Calls the API of the server as it is now. */
  readonly call: CallServer = (use) => this.#call(use)

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
    const [{ createClient }, { token }] = await Promise.all([
      import('@capstan/client'),
      openServer(this.#home, this.#server),
    ])
    if (this.#isClosed) return
    const client = createClient({ url: this.#server.url, token })
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

  /** Waits for the server. It may come back at another address. */
  async #lost(threadId: string, watcher: Watcher): Promise<void> {
    if (this.#lostAt !== undefined) return
    const lostAt = performance.now()
    this.#lostAt = lostAt
    watcher.onNote('The connection to the server is lost. Waiting for it to come back; Ctrl-C twice leaves.')
    while (this.#lostAt === lostAt && !this.#isClosed) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      const server = findServer(this.#home)
      if (server && server.url !== this.#server.url) await this.#move(server, threadId, watcher)
      else if (server) this.#server = server
      else if (performance.now() - lostAt > this.#patienceMs) return watcher.onGone(this.#ended(threadId))
    }
  }

  async #move(server: ServerAddress, threadId: string, watcher: Watcher): Promise<void> {
    try {
      this.#call = (await openServer(this.#home, server)).call
    } catch {
      return // it has only begun to start
    }
    this.#client?.close()
    this.#server = server
    await this.#follow(threadId, watcher)
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
