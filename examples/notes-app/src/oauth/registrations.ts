import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Adapter } from 'oidc-provider'
import { z } from 'zod'
import { readJson, writeJson } from '../json-file.ts'

/** What the authorisation server has to remember. */
export interface Registrations {
  /** For the provider: one adapter per kind of thing. */
  adapter(kind: string): Adapter
  /** Everybody an account has let in, oldest first. */
  grantsOf(accountId: string): readonly { readonly grantId: string; readonly clientId: string }[]
  isGranted(grantId: string): boolean
  /** Takes an authorisation back, with every token that came from it. */
  revoke(grantId: string): Promise<void>
  /** False when there are `max` clients and each of them is in use. Clients without a grant are removed first. */
  hasRoomForClient(max: number): boolean
}

const Entry = z.object({ payload: z.record(z.string(), z.unknown()), expiresAt: z.number().optional() })
type Entry = z.infer<typeof Entry>

/** Survives a restart. The rest lives for minutes: whoever was in the middle of signing in starts again. */
const KEPT = new Set(['Client', 'Grant', 'RefreshToken'])
/** Whoever knows the id of one of these holds a credential. They are kept under a hash of it, and without it. */
const BEARERS = new Set(['RefreshToken', 'AuthorizationCode', 'AccessToken'])
const MAX_ENTRIES = 20_000
const SWEEP_EVERY = 500
/** A refresh token that was used is remembered this long: whoever comes with it is a thief, or was robbed. */
const USED_TOKEN_MS = 24 * 60 * 60 * 1000

export async function openRegistrations(
  folder: string | undefined,
  now: () => number,
): Promise<Registrations> {
  const path = folder === undefined ? undefined : join(folder, 'registrations.json')
  const stored = path === undefined ? undefined : await readJson(path)
  const entries = new Map<string, Entry>(Object.entries(z.record(z.string(), Entry).parse(stored ?? {})))
  let writing: Promise<void> | undefined
  let next: Promise<void> | undefined
  let untilSweep = SWEEP_EVERY

  /** Resolves when a write that began after this call is on disk. Writes that would follow one another become one. */
  function persist(): Promise<void> {
    if (path === undefined) return Promise.resolve()
    next ??= (writing ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        next = undefined
        writing = writeJson(
          path,
          Object.fromEntries([...entries].filter(([key]) => KEPT.has(key.slice(0, key.indexOf(':'))))),
        )
        return writing
      })
    return next
  }

  function live(key: string): Entry | undefined {
    const entry = entries.get(key)
    if (entry?.expiresAt === undefined || entry.expiresAt > now()) return entry
    entries.delete(key)
    return undefined
  }

  function sweep(): void {
    untilSweep = SWEEP_EVERY
    for (const key of entries.keys()) live(key)
    // The oldest go first: under a flood of sign-ins nobody finished, memory stays bounded.
    for (const key of entries.keys()) {
      if (entries.size <= MAX_ENTRIES) return
      if (!KEPT.has(key.slice(0, key.indexOf(':')))) entries.delete(key)
    }
  }

  function dropWhere(kinds: ReadonlySet<string>, grantId: string): boolean {
    let dropped = false
    for (const [key, { payload }] of entries) {
      if (!kinds.has(key.slice(0, key.indexOf(':'))) || payload['grantId'] !== grantId) continue
      entries.delete(key)
      dropped = true
    }
    return dropped
  }

  function toKey(kind: string, id: string): string {
    return `${kind}:${BEARERS.has(kind) ? createHash('sha256').update(id).digest('base64url') : id}`
  }

  function adapter(kind: string): Adapter {
    const settle = async (): Promise<void> => {
      if (KEPT.has(kind)) await persist()
    }
    const findWhere = (field: string, value: string): Record<string, unknown> | undefined => {
      for (const key of entries.keys()) {
        if (!key.startsWith(`${kind}:`)) continue
        const entry = live(key)
        if (entry?.payload[field] === value) return entry.payload
      }
      return undefined
    }
    return {
      async upsert(id, payload, expiresIn) {
        if (--untilSweep <= 0 || entries.size >= MAX_ENTRIES) sweep()
        const kept = BEARERS.has(kind) ? Object.fromEntries(withoutId(payload)) : payload
        entries.set(toKey(kind, id), {
          payload: kept,
          ...(expiresIn === undefined ? {} : { expiresAt: now() + expiresIn * 1000 }),
        })
        await settle()
      },
      find(id) {
        const entry = live(toKey(kind, id))
        if (!entry) return Promise.resolve(undefined)
        return Promise.resolve(BEARERS.has(kind) ? { ...entry.payload, jti: id } : entry.payload)
      },
      findByUid: (uid) => Promise.resolve(findWhere('uid', uid)),
      findByUserCode: () => Promise.resolve(undefined),
      async consume(id) {
        const key = toKey(kind, id)
        const entry = live(key)
        if (!entry) return
        entries.set(key, {
          payload: { ...entry.payload, consumed: Math.floor(now() / 1000) },
          expiresAt: Math.min(entry.expiresAt ?? Infinity, now() + USED_TOKEN_MS),
        })
        await settle()
      },
      async destroy(id) {
        if (entries.delete(toKey(kind, id))) await settle()
      },
      async revokeByGrantId(grantId) {
        if (dropWhere(new Set([kind]), grantId)) await settle()
      },
    }
  }

  return {
    adapter,
    grantsOf(accountId) {
      const grants = [...entries.keys()]
        .filter((key) => key.startsWith('Grant:'))
        .flatMap((key) => {
          const payload = live(key)?.payload
          const clientId = payload?.['clientId']
          return payload?.['accountId'] === accountId && typeof clientId === 'string'
            ? [{ grantId: key.slice('Grant:'.length), clientId }]
            : []
        })
      return grants
    },
    isGranted: (grantId) => live(toKey('Grant', grantId)) !== undefined,
    async revoke(grantId) {
      entries.delete(toKey('Grant', grantId))
      dropWhere(BEARERS, grantId)
      await persist()
    },
    hasRoomForClient(max) {
      const clients = [...entries.keys()].filter((key) => key.startsWith('Client:'))
      if (clients.length < max) return true
      const inUse = new Set(
        [...entries]
          .filter(([key]) => key.startsWith('Grant:'))
          .map(([, { payload }]) => payload['clientId']),
      )
      const unused = clients.filter((key) => !inUse.has(key.slice('Client:'.length)))
      const dropped = unused.slice(0, clients.length - max + 1)
      for (const key of dropped) entries.delete(key)
      return dropped.length > clients.length - max
    },
  }
}

function withoutId(payload: Record<string, unknown>): [string, unknown][] {
  return Object.entries(payload).filter(([field]) => field !== 'jti')
}
