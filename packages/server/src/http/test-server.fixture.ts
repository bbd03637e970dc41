import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalConnector } from '@capstan/connectors'
import type { AgentOptions, ModelClient, Threads } from '@capstan/harness'
import type { Connector } from '@capstan/harness/connectors'
import type { Store } from '@capstan/harness/stores'
import { createIntegrations } from '@capstan/harness/integrations'
import { createMemoryStore } from '@capstan/harness/stores'
import { quietClock } from '@capstan/harness/seams'
import { ALLOW_ALL } from '@capstan/harness/testing'
import type { ClientEvents, ServerEvents, Settings, SpendingLimits, UserLimits } from '@capstan/protocol'
import type { Socket } from 'socket.io-client'
import { io } from 'socket.io-client'
import { onTestFinished } from 'vitest'
import type { Auth } from '../auth/auth.ts'
import { openAuth } from '../auth/auth.ts'
import { createLocalLimiters } from './limits/limiters.ts'
import { cookieNameOf } from '../auth/login-cookie.ts'
import { createMetrics } from '../observe/metrics/metrics.ts'
import type { RunningServer, ServerOptions } from '../serve.ts'
import { startServer } from '../serve.ts'
import { createVaultDocuments } from '../documents/vault-documents.ts'
import { createNotifications } from '../notifications/notifications.ts'
import { openTriggers } from '../triggers/triggers.ts'
import { createJobs } from '../jobs/jobs.ts'
import type { Assistant, Update } from '../sessions/assistant.ts'
import { createStoredBytes } from '../sessions/stored-bytes.ts'
import { createRecordAudit } from '../sessions/record-audit.ts'
import { stopTurns } from '../sessions/stop-turns.ts'
import { summarise } from '../sessions/summarise.ts'
import { openMemorySync } from '../sync/memory-sync.ts'
import { createSchedules } from '../schedules/schedules.ts'
import { createUnattended } from '../unattended/unattended.ts'
import { createThreadActions } from '../sessions/thread-actions.ts'
import { createUserThreads } from '../sessions/user-threads.ts'
import type { MemberLimits } from '../settings/member-limits.ts'
import { DEFAULT_LIMITS } from '../settings/member-limits.ts'
import { createAllowances } from '../sessions/allowances.ts'

export interface TestServerOptions extends Partial<Omit<ServerOptions, 'assistant' | 'auth'>> {
  readonly model?: ModelClient
  readonly agent?: Partial<AgentOptions>
  readonly store?: Store
  readonly connectors?: readonly Connector[]
  readonly folder?: string
}

/** A server on a free port with a scripted model and a store in memory; stopped when the test ends. */
export interface TestServer extends RunningServer {
  readonly assistant: Assistant
  readonly auth: Auth
  readonly folder: string
  /** Logs in as a user, as a browser would. */
  logIn(userId?: string): Promise<Client>
}

/** A browser that is logged in: same origin, with its cookie. */
export interface Client {
  readonly cookie: string
  readonly userId: string
  /** With the server's own origin by default. */
  request(path: string, init?: RequestInit): Promise<Response>
  /** Sends the body as JSON. Rejects unless the status is 2xx. */
  json<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  open(options?: SocketSettings): ClientSocket
}

export type ClientSocket = Socket<ServerEvents, ClientEvents>

interface SocketSettings {
  readonly headers?: Readonly<Record<string, string>>
  readonly transports?: string[]
}

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-server-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { model, agent, store = createMemoryStore(), connectors, folder: given, ...more } = options
  const folder = given ?? (await createFolder())
  const assistant = await createTestAssistant({
    store,
    ...(model ? { model } : undefined),
    ...(agent ? { agent } : undefined),
    ...(connectors ? { connectors } : undefined),
  })
  const auth = openAuth({ folder })
  const server = await startServer({ assistant, auth, port: 0, checkAnswers: true, ...more })
  onTestFinished(() => server.stop({ graceMs: 0 }))
  return {
    ...server,
    assistant,
    auth,
    folder,
    logIn: async (userId = 'local') => logIn(server, auth, userId),
  }
}

/** The parts of an assistant that routes and sockets use, for any number of users. */
async function createTestAssistant(options: {
  readonly store: Store
  readonly model?: ModelClient
  readonly agent?: Partial<AgentOptions>
  readonly connectors?: readonly Connector[]
}): Promise<Assistant> {
  const { store, model = NO_MODEL, agent = {} } = options
  const connectors = options.connectors ?? [createLocalConnector({ toolkits: [] })]
  const integrations = createIntegrations({ connectors, store: store.connections })
  const metrics = createMetrics()
  metrics.countReads(integrations)
  const timed = { ...store, ledger: metrics.timeLedger(store.ledger) }
  const listeners = new Set<(update: Update) => void>()
  const users = new Map<string, Threads>()
  const publish = (update: Update): void => {
    for (const listener of listeners) listener(update)
  }
  integrations.bus.subscribe((event) => {
    const { userId } = event
    if (event.type === 'connections-changed')
      publish({ type: 'connection-change', userId, connection: event.connection })
    publish({ type: 'toolkits-change', userId })
  })
  let settings: Settings = SETTINGS
  const limits = new Map<string, UserLimits>()
  let ownerSpending: SpendingLimits = {}
  const memberLimits: MemberLimits = {
    of: (userId) => limits.get(userId) ?? DEFAULT_LIMITS,
    change: async (userId, changed) => void limits.set(userId, changed),
    spendingOf: (userId) => (userId === 'local' ? ownerSpending : memberLimits.of(userId)),
    changeOwnerSpending: async (changed) => void (ownerSpending = changed),
  }
  const allowanceOf = createAllowances({ store, limits: memberLimits, clock: quietClock })

  const jobs = createJobs({
    store: store.jobs,
    runner: { register() {}, wake() {}, check() {} },
    publish: (userId) => publish({ userId, type: 'jobs-change' }),
    now: () => Date.now(),
  })
  const record = createRecordAudit(store.audit, Date.now)
  const noteJobs = (userId: string): void => publish({ userId, type: 'jobs-change' })
  const notifications = createNotifications({
    documents: createVaultDocuments(store.connections.vault),
    note: noteJobs,
    onProblem: () => {},
  })
  const triggers = await openTriggers({
    documents: createVaultDocuments(store.connections.vault),
    jobs,
    integrations,
    connections: store.connections,
    runs: store.runs,
    unattended: () => assistant.unattended,
    record,
    clock: quietClock,
    allowanceOf,
    modelsOf: () => ({ model }),
    checkModel: () => {},
    note: noteJobs,
    tell: notifications.tell,
    onProblem: () => {},
  })
  const assistant: Assistant = {
    store: timed,
    disk: { isFull: false, check: async () => false },
    integrations,
    jobs,
    sync: openMemorySync({
      store,
      integrations,
      jobs,
      clock: quietClock,
      beginReport: triggers.beginItems,
      onProblem() {},
    }),
    triggers,
    notifications,
    metrics,
    threadsOf(userId) {
      let threads = users.get(userId)
      if (!threads) {
        threads = createUserThreads({
          userId,
          store: timed,
          bus: integrations.bus,
          agent: () => ({
            model,
            origin: 'web',
            preface: false,
            safety: ALLOW_ALL,
            allowance: allowanceOf(userId),
            ready: () => allowanceOf(userId).ready(),
            observers: [metrics.observer],
            ...agent,
          }),
          model: () => model,
          queueMode: () => 'one-by-one',
          settingsVersion: () => 0,
          publish,
          onProblem: () => {},
        })
        users.set(userId, threads)
      }
      return threads
    },
    actionsOf(userId) {
      return createThreadActions(this.threadsOf(userId), (delivery) => metrics.countQueued(delivery))
    },
    get unattended() {
      return createUnattended({
        store,
        threadsOf: (userId) => this.threadsOf(userId),
        actionsOf: (userId) => this.actionsOf(userId),
        admit: { turn: async () => true, newThread: async () => {} },
      })
    },
    get schedules() {
      const { unattended } = this
      return createSchedules({
        jobs,
        outcomeOf: (...asked) => unattended.outcomeOf(...asked),
        now: () => Date.now(),
      })
    },
    summarise: (userId, threadId) => summarise(store, userId, threadId, false),
    onUpdate(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    readSettings: () => settings,
    async changeSettings(userId, { theme = settings.theme }) {
      settings = { ...settings, theme }
      publish({ type: 'settings-change', userId })
      return settings
    },
    secrets: {
      list: () => [],
      put: async (_, name, { hosts }) => ({ name, hosts, createdAt: 0 }),
      remove: async () => false,
    },
    hold: async () => {},
    release: async () => {},
    testModel: async (_, name = 'scripted/model') => ({ ok: true, model: name, durationMs: 1 }),
    listMcpServers: () => [],
    previewMcpServer: () => ({ slug: 'files' }),
    addMcpServer: async (_, { name, transport }) => ({ slug: 'files', name, transport, shared: false }),
    changeMcpServer: async () => undefined,
    proposeMappings: async () => 'unknown',
    limiters: createLocalLimiters(),
    limits: memberLimits,
    allowanceOf,
    storedBytes: createStoredBytes(store, Date.now),
    stopTurns(userId) {
      return stopTurns(store, { actionsOf: (id) => this.actionsOf(id), refuseAllOf: async () => {} }, userId)
    },
    removeMcpServer: async () => false,
    checkSandbox: async () => ({ state: 'works', found: 'Programs are confined.' }),
    isTrusted: () => false,
    diagnose: async () => ({
      checks: [{ id: 'node', state: 'ok', finding: { code: 'node' }, found: 'Node is there.' }],
    }),
    record,
    async reset(userId) {
      const threads = users.get(userId)
      for (const { id } of (await threads?.list()) ?? []) await threads?.delete(id)
    },
    async stop(grace) {
      await Promise.all([...users.values()].map((threads) => threads.stop(grace)))
      await integrations.close()
      metrics.close()
    },
  }
  return assistant
}

export async function logIn(server: RunningServer, auth: Auth, userId: string): Promise<Client> {
  const answer = await redeem(server.url, auth.mintTicket(userId))
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  if (!cookie?.startsWith(cookieNameOf(server.port))) throw new Error(`not logged in: ${answer.status}`)
  return toClient(server, cookie, userId)
}

/** Sends the form of the login page, as its button does. */
export function redeem(
  url: string,
  ticket: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, ...headers },
    body: new URLSearchParams({ ticket }),
  })
}

export function toClient(server: RunningServer, cookie: string, userId: string): Client {
  const { url } = server
  const request = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { cookie, origin: url, ...(init.headers as Record<string, string>) },
    })
  return {
    cookie,
    userId,
    request,
    async json<Answer>(method: string, path: string, body?: unknown) {
      const sent =
        body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      const answer = await request(path, { method, ...sent })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return (text === '' ? undefined : JSON.parse(text)) as Answer
    },
    open: ({ headers = {}, transports = ['websocket'] } = {}) => {
      const socket: ClientSocket = io(url, {
        transports,
        forceNew: true,
        reconnection: false,
        extraHeaders: { cookie, origin: url, ...headers },
      })
      onTestFinished(() => void socket.close())
      return socket
    },
  }
}

/** Resolves with `connected` or the reason why not. */
export function connected(socket: ClientSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve('connected'))
    socket.once('connect_error', (error) => resolve(error.message))
  })
}

const NO_MODEL: ModelClient = {
  id: 'scripted/none',
  abilities: { tools: true, images: true, files: [] },
  stream: () => Promise.reject(new Error('the model must not be called')),
}

const SETTINGS: Settings = {
  model: '',
  modelInUse: { name: 'scripted', isDemo: true, from: 'demo', reads: { images: true, files: [] } },
  modelKeys: [{ provider: 'openai' }],
  safetyMode: 'supervised',
  roots: [],
  sharedRoots: [],
  shell: 'off',
  shellHosts: [],
  hosts: [],
  language: 'en',
  theme: 'system',
  queueMode: 'one-by-one',
  embeddingModel: '',
  reduceMotion: false,
  composio: { isSet: false },
  dataFolder: '/data',
  version: '0.1.0',
  demoApp: false,
}
