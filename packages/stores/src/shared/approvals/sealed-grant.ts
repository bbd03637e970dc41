import type { Grant } from '@capstan/protocol'
import type { Seal } from '../seal.ts'

/** A grant as it is kept. Other columns are only for finding it: what counts is in the sealed body. */
export interface GrantColumns {
  readonly user: string
  readonly id: string
  readonly body: string
  readonly seal: Uint8Array
}

/** The columns of a grant. */
export function toGrantColumns(seal: Seal, userId: string, grant: Grant): GrantColumns {
  const user = userId.toWellFormed()
  const { id } = grant
  const body = JSON.stringify(grant)
  return { user, id, body, seal: seal.of(['grant', user, id, body]) }
}

/** The grant in a row: none when the seal is wrong. */
export const readGrant = (seal: Seal, { user, id, body, seal: written }: GrantColumns): Grant[] =>
  seal.fits(['grant', user, id, body], written) ? [JSON.parse(body) as Grant] : []
