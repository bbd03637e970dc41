import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Integrations } from '@capstan/harness/integrations'
import type { Sandbox } from '@capstan/harness/sandbox'
import type { Store } from '@capstan/harness/stores'
import type { DiagnosticCheck, Diagnostics } from '@capstan/protocol'
import { checkEmbeddings } from '../memory/vectors/check-embeddings.ts'
import type { EmbedderChoice } from '../settings/choose-embedder.ts'
import type { ModelChoice } from '../settings/choose-model.ts'

export interface DiagnosedParts {
  readonly userId: string
  readonly folder: string
  /** Where conversations are: the data folder, or the database that nodes share. */
  readonly storePlace: string
  readonly store: Store
  readonly integrations: Integrations
  readonly model: ModelChoice
  readonly embeddings: EmbedderChoice
  readonly sandbox: Sandbox
  /** The address of the demo app; absent when it was not started. */
  readonly demoAppUrl?: string
  /** The folder of the built web app; absent when this program serves none. */
  readonly webRoot?: string
  readonly now: () => number
  readonly node?: string
}

type Finding = Omit<DiagnosticCheck, 'id'>

/** Checks each part of the installation. Never throws: a check that throws has failed. */
export async function diagnose(parts: DiagnosedParts): Promise<Diagnostics> {
  const checks = await Promise.all(
    CHECKS.map(async ([id, check]): Promise<DiagnosticCheck> => {
      try {
        return { id, ...(await check(parts)) }
      } catch (error) {
        const why = error instanceof Error ? error.message : 'it gave no reason'
        const finding = { code: 'unchecked', detail: why } as const
        return { id, state: 'failed', finding, found: `It could not be checked: ${why}` }
      }
    }),
  )
  return { checks }
}

const CHECKS: readonly (readonly [
  id: DiagnosticCheck['id'],
  check: (parts: DiagnosedParts) => Finding | Promise<Finding>,
])[] = [
  ['node', checkNode],
  ['store', checkStore],
  ['disk', checkDisk],
  ['model', checkModel],
  ['embeddings', checkEmbeddings],
  ['apps', checkApps],
  ['sandbox', checkSandbox],
  ['demo-app', checkDemoApp],
  ['web-app', checkWebApp],
  ['clock', checkClock],
]

const OLDEST_NODE = [22, 18] as const

function checkNode({ node = process.versions.node }: DiagnosedParts): Finding {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  const found = `Node ${node}.`
  const oldest = OLDEST_NODE.join('.')
  const finding = { code: 'node', version: node, oldest } as const
  return isNew
    ? { state: 'ok', finding, found }
    : { state: 'failed', finding, remedy: 'node', found, next: `Install Node ${oldest} or newer.` }
}

async function checkStore({ store, storePlace, userId }: DiagnosedParts): Promise<Finding> {
  await store.threads.list({ userId, limit: 1 })
  const [notice] = store.notices
  return notice === undefined
    ? {
        state: 'ok',
        finding: { code: 'store', folder: storePlace },
        found: `The data in ${storePlace} can be read and written.`,
      }
    : {
        state: 'warning',
        finding: { code: 'store-replaced', detail: notice },
        remedy: 'store',
        found: notice,
        next: 'Look into the folder "backups" if something is missing.',
      }
}

const MB = 1024 * 1024

async function checkDisk({ folder }: DiagnosedParts): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  const freeMb = Math.floor(freeBytes / MB)
  const finding = { code: 'disk', freeBytes } as const
  const found = freeMb > 10_000 ? `${Math.floor(freeMb / 1024)} GB free.` : `${freeMb} MB free.`
  if (freeMb < 100)
    return {
      state: 'failed',
      finding,
      remedy: 'disk-now',
      found,
      next: 'Make room on the disk: soon nothing can be stored.',
    }
  if (freeMb < 1_000)
    return {
      state: 'warning',
      finding,
      remedy: 'disk-soon',
      found,
      next: 'Make room on the disk before it is full.',
    }
  return { state: 'ok', finding, found }
}

function checkModel({ model }: DiagnosedParts): Finding {
  const { client, isDemo, problem } = model
  if (problem !== undefined)
    return {
      state: 'warning',
      finding: { code: 'model-unusable', detail: problem },
      remedy: 'model-unusable',
      found: problem,
      next: 'Choose another model in Settings, or enter its key.',
    }
  if (!isDemo)
    return {
      state: 'ok',
      finding: { code: 'model', model: client.id },
      remedy: 'model',
      found: `${client.id} is set up.`,
      next: 'Settings has a button to test it.',
    }
  return {
    state: 'ok',
    finding: { code: 'model-demo' },
    remedy: 'model-demo',
    found: 'The scripted demo model is in use.',
    next: 'Enter the key of a provider in Settings, or start Ollama, to talk to a real one.',
  }
}

async function checkApps({ integrations, userId }: DiagnosedParts): Promise<Finding> {
  const { directory } = integrations
  directory.invalidate(userId)
  const { toolkits, authoritative } = await directory.read(userId)
  const connected = toolkits.filter(({ connections }) => connections.length > 0)
  const broken = toolkits.filter(({ standing }) => standing && standing.status !== 'pending')
  const found = `${toolkits.length} known, ${connected.length} connected.`
  const counts = { known: toolkits.length, connected: connected.length }
  if (!authoritative)
    return {
      state: 'warning',
      finding: { code: 'apps-unsure', ...counts },
      remedy: 'apps-unsure',
      found: `${found} Some could not be asked.`,
      next: 'Try again in a moment.',
    }
  if (broken.length === 0) return { state: 'ok', finding: { code: 'apps', ...counts }, found }
  const names = broken.map(({ name }) => name)
  return {
    state: 'warning',
    finding: { code: 'apps-broken', ...counts, names },
    remedy: 'apps-broken',
    found: `${found} Not usable: ${names.join(', ')}.`,
    next: 'Reconnect under Connections.',
  }
}

const SANDBOX_CODES = { works: 'sandbox', off: 'sandbox-off', unavailable: 'sandbox-unavailable' } as const

/** Chats work without it; commands and programs do not. */
async function checkSandbox({ sandbox }: DiagnosedParts): Promise<Finding> {
  const { state, found, next } = await sandbox.check()
  const isUnlimited = state === 'works' && next !== undefined
  return {
    state: state === 'works' && !isUnlimited ? 'ok' : 'warning',
    finding: { code: isUnlimited ? 'sandbox-unlimited' : SANDBOX_CODES[state], detail: found },
    ...(isUnlimited ? { remedy: 'sandbox-unlimited' } : undefined),
    ...(state === 'unavailable' ? { remedy: 'sandbox' } : undefined),
    found,
    ...(next === undefined ? undefined : { next }),
  }
}

async function checkDemoApp({ demoAppUrl }: DiagnosedParts): Promise<Finding> {
  if (demoAppUrl === undefined)
    return { state: 'ok', finding: { code: 'demo-off' }, found: 'It is switched off.' }
  try {
    const response = await fetch(new URL('/.well-known/oauth-protected-resource', demoAppUrl), {
      signal: AbortSignal.timeout(2_000),
    })
    await response.body?.cancel()
    const address = new URL(demoAppUrl).origin
    if (response.ok)
      return { state: 'ok', finding: { code: 'demo', address }, found: `Notes answers at ${address}.` }
  } catch {
    // Reported below.
  }
  return {
    state: 'failed',
    finding: { code: 'demo-silent' },
    remedy: 'restart',
    found: 'Notes does not answer.',
    next: 'Start the server again.',
  }
}

function checkWebApp({ webRoot }: DiagnosedParts): Finding {
  if (webRoot === undefined)
    return { state: 'ok', finding: { code: 'web-elsewhere' }, found: 'It is not served from here.' }
  return existsSync(join(webRoot, 'index.html'))
    ? { state: 'ok', finding: { code: 'web' }, found: 'It is built.' }
    : {
        state: 'failed',
        finding: { code: 'web-missing' },
        remedy: 'restart',
        found: 'It is not built.',
        next: 'Start the server again: it builds what is missing.',
      }
}

/** An earlier time means that the clock is wrong. */
const FIRST_DAY = Date.UTC(2026, 0, 1)
const SLACK_MS = 5 * 60_000

async function checkClock({ store, userId, now }: DiagnosedParts): Promise<Finding> {
  const at = now()
  const found = `${new Date(at).toISOString().slice(0, 19)}Z.`
  const finding = { code: 'clock', at } as const
  const next = 'Set the clock of this machine: sign-ins and approvals go by it.'
  const [newest] = await store.threads.list({ userId, limit: 1 })
  if (at < FIRST_DAY) return { state: 'failed', finding, remedy: 'clock', found, next }
  if (newest && newest.updatedAt > at + SLACK_MS)
    return {
      state: 'warning',
      finding: { code: 'clock-behind', at },
      remedy: 'clock',
      found: `${found} A thread is from a later time than that.`,
      next,
    }
  return { state: 'ok', finding, found }
}
