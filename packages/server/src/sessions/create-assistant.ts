import { join, resolve } from 'node:path'
import { CALM, createDemoModel } from '@capstan/demo'
import type { Integrations } from '@capstan/harness/integrations'
import type { Store } from '@capstan/harness/stores'
import type { Sandbox } from '@capstan/harness/sandbox'
import type { Clock } from '@capstan/harness/seams'
import { quietClock } from '@capstan/harness/seams'
import type { Hold, Settings } from '@capstan/protocol'
import { VERSION } from '@capstan/protocol'
import { createBubblewrapSandbox } from '@capstan/sandbox'
import { openEmbeddedStore } from '@capstan/stores'
import { openNodes } from '../cluster/nodes.ts'
import type { Nodes } from '../cluster/nodes.ts'
import type { OpenNode } from '../cluster/open-node.ts'
import { openNode } from '../cluster/open-node.ts'
import type { Documents } from '../documents/documents.ts'
import type { InstallationDocuments } from '../documents/installation-documents.ts'
import { createFolderDocuments } from '../documents/installation-documents.ts'
import { openJobs } from '../jobs/open-jobs.ts'
import type { OpenJobs } from '../jobs/open-jobs.ts'
import { createLocalLimiters } from '../http/limits/limiters.ts'
import { createSharedLimiters } from '../http/limits/shared-limiters.ts'
import { announceMemory } from '../memory/announce-memory.ts'
import { withVectors } from '../memory/vectors/memory-vectors.ts'
import type { MemoryVectors } from '../memory/vectors/memory-vectors.ts'
import { secretsOf } from '../settings/environment-secrets.ts'
import { findLocalModel } from '../settings/find-local-model.ts'
import { createMemberLimits } from '../settings/member-limits.ts'
import type { SettingsFile } from '../settings/settings-file.ts'
import { openSettingsFile } from '../settings/settings-file.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import { openNamedSecrets } from '../settings/named-secrets.ts'
import { createSettingsStore } from '../settings/settings-store.ts'
import type { TurnObservation } from '../observe/observe-turns.ts'
import { observeTurns } from '../observe/observe-turns.ts'
import { openUnattended } from './open-unattended.ts'
import { createAllowances } from './allowances.ts'
import type { AssistantOptions } from './assistant-options.ts'
import type { Assistant, Update } from './assistant.ts'
import { checkOwnParts } from './check-own-parts.ts'
import type { ConnectedApps } from './connect-apps.ts'
import { connectApps } from './connect-apps.ts'
import { diagnose } from './diagnose.ts'
import { followNodes } from './follow-nodes.ts'
import { gatherNotices } from './gather-notices.ts'
import { openHolds } from './holds.ts'
import { resetUser } from './reset-user.ts'
import { createRecordAudit } from './record-audit.ts'
import { toSecretMethods } from './secret-methods.ts'
import { toServerMethods } from './server-methods.ts'
import { createStoredBytes } from './stored-bytes.ts'
import type { DiskWatch } from './disk-watch.ts'
import { createDiskWatch } from './disk-watch.ts'
import { createStopEverything } from './stop-everything.ts'
import { stopTurns } from './stop-turns.ts'
import { createSecretList } from './secret-list.ts'
import { createSettingsChanges } from './settings-changes.ts'
import { testModel } from './test-model.ts'
import { createUpdateListeners } from './update-listeners.ts'
import { openUsers } from './open-users.ts'
import { readAgents } from './user-agent.ts'
import { summarise } from './summarise.ts'

/** The user to whom the machine belongs. Their model and keys answer questions about large results. */
const OWNER = 'local'

/** The options with their defaults. */
type Setup = AssistantOptions &
  Required<Pick<AssistantOptions, 'env' | 'clock' | 'presets' | 'connectors' | 'sandbox' | 'onProblem'>>

/** The options with what observes turns, and the documents of the installation. */
type ObservedSetup = Setup &
  Pick<TurnObservation, 'observers' | 'tracer'> & {
    readonly observation: TurnObservation
    readonly node?: OpenNode
    readonly documents: InstallationDocuments
  }

/**
 * Assembles an installation: store, settings, apps, agents and the threads of every user. When it settles, interrupted
 * turns are running again. Rejects with a `StoreError` when the folder cannot be used, and with a `ConfigurationError`
 * that names the option that cannot work.
 */
export async function createAssistant(options: AssistantOptions): Promise<Assistant> {
  const setup: Setup = {
    ...options,
    env: options.env ?? process.env,
    clock: options.clock ?? quietClock,
    presets: options.presets ?? [],
    connectors: options.connectors ?? [],
    sandbox: options.sandbox ?? createDefaultSandbox(options),
    onProblem: options.onProblem ?? ((problem) => console.error(problem)),
  }
  const node = options.database && (await openNode(options.database, setup))
  const store = node?.store ?? openEmbeddedStore({ folder: setup.folder, env: setup.env, clock: setup.clock })
  let observation: TurnObservation | undefined
  try {
    observation = await observeTurns({ ...setup, ...(node && { instanceId: node.store.nodeId }) })
    const { observers, tracer, shown } = observation
    const timed = { ...store, ledger: shown.metrics.timeLedger(store.ledger) }
    const documents = node
      ? { plain: node.documents, secret: node.documents }
      : createFolderDocuments(setup.folder, store.connections.vault)
    const disk = createDiskWatch(setup)
    return await assemble(
      { ...setup, documents, observation, observers, ...(tracer && { tracer }), ...(node && { node }) },
      disk.watch(timed),
      disk,
    )
  } catch (error) {
    await observation?.close()
    await node?.close()
    await store.close()
    throw error
  }
}

// What package runners fetch is kept in the data folder, and shown to programs under another path.
const createDefaultSandbox = ({ folder, database }: AssistantOptions): Sandbox =>
  createBubblewrapSandbox({
    hidden: [folder, ...(database?.keyFile === undefined ? [] : [resolve(database.keyFile)])],
    packagesFolder: join(resolve(folder), 'packages'),
  })

async function assemble(setup: ObservedSetup, opened: Store, disk: DiskWatch): Promise<Assistant> {
  const { clock, onProblem, observation, documents } = setup
  const store = watchMemory(opened, clock, () => ({ nodes, ...alone }))
  const now = (): number => clock.now()
  checkOwnParts(setup, store)
  const file = openSettingsFile(documents.plain, now)
  for (const notice of [...store.notices, ...file.notices]) onProblem(new Error(notice))
  const { secrets, vault } = watchSecrets(setup, store)
  const settings = await openSettings(setup, secrets.watchDocuments(documents.secret), file)
  const namedSecrets = await openNamedSecrets(documents.secret, onProblem)
  const apps = await connectApps({
    ...setup,
    store,
    vault,
    file,
    settings,
    ownerId: OWNER,
    model: () => settings.model(OWNER).client,
  })
  const { integrations } = apps
  observation.shown.metrics.countReads(integrations)
  const updates = createUpdateListeners(onProblem)
  const holds = openHolds(documents.plain)
  const isHeld = (userId: string): boolean => holds.of(userId) !== undefined
  const publishHere = (update: Update): void => updates.publish(update)
  const nodes = openNodes({
    ...setup,
    store,
    integrations,
    metrics: observation.shown.metrics,
    publish: publishHere,
    users: () => users,
    isHeld,
    now,
  })
  const { publish } = nodes
  const changes = openChanges(setup, { store, settings, apps, publish })
  const record = createRecordAudit(store.audit, now)
  const personal = openLimits(setup, file, store)
  const { jobs, ...runner } = openJobs({ store, clock, holds, updates, publish, onProblem })
  const storedBytes = createStoredBytes(store, now)
  const running = { nodes, jobs, settings, record, updates, storedBytes }
  const alone = await openUnattended(OWNER, { ...setup, ...personal, ...apps, store, ...running })
  const users = openUsers(setup, {
    store: alone.store,
    integrations,
    holds,
    isHeld,
    nodes,
    settings,
    changes,
    agents: await readTeam(setup, store),
    namedSecrets,
    secrets,
    schedules: alone.schedules,
    allowanceOf: personal.allowanceOf,
  })
  const everything = createStopEverything({ ...nodes, holds, users, record, now })
  followNodes({ settings, namedSecrets, holds, users, apps, changes, publish: publishHere, onProblem })
  const unsubscribe = publishConnections(apps, publish)
  disk.onChange(() => users.known().forEach((userId) => publish({ userId, type: 'settings-change' })))

  let stopping: Promise<void> | undefined
  const toStop = { unsubscribe, disk, runner, nodes, integrations, observation, store }

  users.threadsOf(OWNER)
  await nodes.start({ resumes: setup.resumes !== false })
  if (setup.resumes !== false && setup.node?.role !== 'web') runner.start()

  const withState = (userId: string, own: Settings) => addState(own, holds.of(userId), disk.isFull)
  return {
    disk,
    integrations,
    jobs,
    ...observation.shown,
    threadsOf: (userId) => nodes.threadsOf(userId),
    actionsOf: (userId) => nodes.actionsOf(userId),
    ...alone,
    summarise: (userId, threadId) => summarise(store, userId, threadId, isHeld(userId)),
    onUpdate: (listener) => updates.subscribe(listener),
    readSettings: (userId) => withState(userId, settings.read(userId)),
    changeSettings: async (userId, patch) => withState(userId, await changes.change(userId, patch)),
    secrets: toSecretMethods({ secrets: namedSecrets, changes, record, clock }),
    hold: (scope) => everything.hold(scope),
    release: (scope) => everything.release(scope),
    testModel: (userId, name) => testModelOf(settings, userId, name?.trim() || undefined, clock),
    ...toServerMethods({ presets: setup.presets, store, apps, record }),
    ...personal,
    limiters: setup.node ? createSharedLimiters(setup.node.store.rates) : createLocalLimiters(),
    storedBytes,
    stopTurns: (userId) => stopTurns(store, nodes, userId),
    checkSandbox: () => setup.sandbox.check(),
    diagnose: () => diagnose(toDiagnosed(setup, { store, settings, apps })),
    record,
    ...(setup.node && { shared: setup.node }),
    reset: (userId) => resetUser(userId, { ...alone, store, integrations, threads: nodes.threadsOf(userId) }),
    stop: (stopOptions) => (stopping ??= stopParts(toStop, stopOptions?.graceMs)),
  }
}

/** A store whose memory tells of changes, and is also searched by vectors. */
function watchMemory(
  opened: Store,
  clock: Clock,
  parts: () => { readonly nodes: Nodes; readonly vectors: MemoryVectors },
): Store {
  const note = gatherNotices(clock, (userId) => parts().nodes.publish({ userId, type: 'memory-change' }))
  return { ...opened, memory: withVectors(announceMemory(opened.memory, note), () => parts().vectors) }
}

interface StoppedParts {
  readonly unsubscribe: () => void
  readonly disk: DiskWatch
  readonly runner: Pick<OpenJobs, 'stop'>
  readonly nodes: Nodes
  readonly integrations: Integrations
  readonly observation: TurnObservation
  readonly store: Store
}

async function stopParts(parts: StoppedParts, graceMs: number | undefined): Promise<void> {
  const { unsubscribe, disk, runner, nodes, integrations, observation, store } = parts
  unsubscribe()
  disk.stop()
  await Promise.all([runner.stop(graceMs), nodes.stop(graceMs)])
  await integrations.close()
  await observation.close()
  await nodes.close()
  await store.close()
}

/** The credentials that must stay hidden: keys of the environment, and what is written to the vault. */
function watchSecrets({ env, database }: Setup, store: Store) {
  const secrets = createSecretList(secretsOf(env, database?.url))
  return { secrets, vault: secrets.watch(store.connections.vault) }
}

interface ChangeParts {
  readonly store: Store
  readonly settings: SettingsStore
  readonly apps: ConnectedApps
  readonly publish: (update: Update) => void
}

const openChanges = ({ clock }: Setup, { store, settings, apps, publish }: ChangeParts) =>
  createSettingsChanges({
    settings,
    audit: store.audit,
    now: () => clock.now(),
    refreshComposio: () => apps.refreshComposio(),
    publish,
  })

/** What each user may use, and spend. */
function openLimits({ clock, node }: ObservedSetup, file: SettingsFile, store: Store) {
  const limits = createMemberLimits(file, OWNER)
  return {
    limits,
    allowanceOf: createAllowances({ store, limits, clock, isShared: node !== undefined }),
  }
}

/** Tests the named model, or the one in use. */
function testModelOf(settings: SettingsStore, userId: string, name: string | undefined, clock: Clock) {
  const { client } = settings.model(userId)
  const make = () => (name === undefined ? client : settings.makeModel(userId, name))
  return testModel(name ?? client.id, make, clock)
}

/** Adds what is no setting, and shown on every page. */
const addState = (settings: Settings, held: Hold | undefined, isDiskFull: boolean): Settings => ({
  ...settings,
  ...(held && { held }),
  ...(isDiskFull && { diskFull: true as const }),
})

async function openSettings(setup: Setup, keys: Documents, file: SettingsFile): Promise<SettingsStore> {
  const { folder, env, presets, mode, model, modelName, embedder, demoPace = CALM, onProblem } = setup
  const settings = await createSettingsStore({
    folder,
    file,
    keys,
    env,
    ownerId: OWNER,
    version: VERSION,
    hasDemoApp: presets.length > 0,
    ...(mode === undefined ? undefined : { defaultMode: mode }),
    ...(modelName === undefined ? undefined : { model: modelName }),
    ...(model ? { client: model } : undefined),
    ...(embedder && { embedder }),
    demo: createDemoModel(demoPace),
    findLocal: () => findLocalModel(env),
    onProblem,
  })
  if (modelName !== undefined) settings.makeModel(OWNER, modelName) // throws when it is unusable
  return settings
}

async function readTeam({ folder, agents, onProblem }: Setup, store: Store) {
  const read = await readAgents(join(folder, 'agents'), store, agents)
  for (const { file, line, problem } of read.problems)
    onProblem(new Error(`agents/${file}${line === undefined ? '' : `:${line}`}: ${problem}`))
  return read.agents
}

function publishConnections({ integrations }: ConnectedApps, publish: (update: Update) => void): () => void {
  return integrations.bus.subscribe((event) => {
    const { userId } = event
    if (event.type === 'connections-changed')
      publish({ userId, type: 'connection-change', connection: event.connection })
    publish({ userId, type: 'toolkits-change' })
  })
}

function toDiagnosed(
  { folder, presets, webRoot, clock, sandbox, database }: Setup,
  parts: { readonly store: Store; readonly settings: SettingsStore; readonly apps: ConnectedApps },
): Parameters<typeof diagnose>[0] {
  const [demoAppUrl] = presets.flatMap(({ transport }) => (transport.type === 'http' ? [transport.url] : []))
  return {
    userId: OWNER,
    folder,
    storePlace: database ? 'PostgreSQL' : folder,
    store: parts.store,
    integrations: parts.apps.integrations,
    model: parts.settings.model(OWNER),
    embeddings: parts.settings.embedder(OWNER),
    sandbox,
    now: () => clock.now(),
    ...(demoAppUrl === undefined ? undefined : { demoAppUrl }),
    ...(webRoot === undefined ? undefined : { webRoot }),
  }
}
