import type { ConnectionStore, SignInFlow } from '@capstan/harness/stores'
import { StoreError } from '@capstan/harness'
import type { Database } from '../database/database.ts'

interface FlowColumns {
  readonly state_hash: string
  readonly connection: string
  readonly user_id: string
  readonly browser_hash: string
  readonly redirect_uri: string
  readonly created_at: number
  readonly expires_at: number
}

/** Sign-ins that started. */
export function createSignInFlows(database: Database): Pick<ConnectionStore, 'openFlow' | 'takeFlow'> {
  return {
    openFlow: (flow) =>
      database.transaction(async (query) => {
        const { stateHash, connectionId, userId, browserHash, redirectUri, createdAt, expiresAt } = flow
        const [there] = await query('SELECT FROM sign_in_flows WHERE state_hash = $1', [stateHash])
        if (there) throw new StoreError('invalid', 'This sign-in was started already.')
        await query('DELETE FROM sign_in_flows WHERE expires_at <= $1 OR connection = $2', [
          createdAt,
          connectionId,
        ])
        await query('INSERT INTO sign_in_flows VALUES ($1, $2, $3, $4, $5, $6, $7)', [
          stateHash,
          connectionId,
          userId,
          browserHash,
          redirectUri,
          createdAt,
          expiresAt,
        ])
      }),
    takeFlow: (stateHash, now) =>
      database.transaction(async (query) => {
        const [row] = await query<FlowColumns>(
          'DELETE FROM sign_in_flows WHERE state_hash = $1 RETURNING *',
          [stateHash],
        )
        return row && now < row.expires_at ? toFlow(row) : undefined
      }),
  }
}

const toFlow = (row: FlowColumns): SignInFlow => ({
  stateHash: row.state_hash,
  connectionId: row.connection,
  userId: row.user_id,
  browserHash: row.browser_hash,
  redirectUri: row.redirect_uri,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
