import type { SignInFlow } from '@capstan/harness/stores'
import { checksum, refuseDamage } from '../database/checksum.ts'
import type { Connection } from '../database/connection.ts'

/** Sign-ins that started. */
export interface SignInFlowRows {
  get(stateHash: string): SignInFlow | undefined
  insert(flow: SignInFlow): void
  delete(stateHash: string): void
  /** Those whose time is over, and those of this connection. */
  purge(now: number, connectionId: string): void
  /** Throws when a row is damaged. */
  check(): void
}

interface Row {
  readonly state_hash: string
  readonly connection: string
  readonly user: string
  readonly browser_hash: string
  readonly redirect_uri: string
  readonly created_at: number
  readonly expires_at: number
  readonly sum: number
}

export function createSignInFlowRows(connection: Connection): SignInFlowRows {
  const get = connection.prepare<Row>('SELECT * FROM sign_in_flows WHERE state_hash = ?')
  const insert = connection.prepare('INSERT INTO sign_in_flows VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const remove = connection.prepare('DELETE FROM sign_in_flows WHERE state_hash = ?')
  const purge = connection.prepare('DELETE FROM sign_in_flows WHERE expires_at <= ? OR connection = ?')
  const all = connection.prepare<Row>('SELECT * FROM sign_in_flows')
  return {
    get(stateHash) {
      const row = get.get(stateHash)
      return row && toFlow(row)
    },
    insert(flow) {
      const { stateHash, connectionId, userId, browserHash, redirectUri, createdAt, expiresAt } = flow
      const texts = [stateHash, connectionId, userId, browserHash, redirectUri] as const
      insert.run(...texts, createdAt, expiresAt, sumOf(flow))
    },
    delete(stateHash) {
      remove.run(stateHash)
    },
    purge(now, connectionId) {
      purge.run(now, connectionId)
    },
    check() {
      for (const row of all.compiled().iterate() as Iterable<unknown>) toFlow(row as Row)
    },
  }
}

function sumOf(flow: SignInFlow): number {
  const { stateHash, connectionId, userId, browserHash, redirectUri, createdAt, expiresAt } = flow
  const texts = [stateHash, connectionId, userId, browserHash, redirectUri]
  return checksum(JSON.stringify([...texts.map((text) => text.toWellFormed()), createdAt, expiresAt]))
}

function toFlow(row: Row): SignInFlow {
  const flow: SignInFlow = {
    stateHash: row.state_hash,
    connectionId: row.connection,
    userId: row.user,
    browserHash: row.browser_hash,
    redirectUri: row.redirect_uri,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
  refuseDamage(sumOf(flow) === row.sum, 'a sign-in')
  return flow
}
