import type { Caller } from '../auth/auth.ts'
import { ApiError } from './api-error.ts'

/**
 * Who may do something: everybody (`open`), every user (`user`), the owner (`owner`), or the owner after a login a short
 * time ago (`fresh-owner`), which is for whatever reaches the machine. Every route and every setting names its rights, so
 * that none can forget them.
 */
export type Rights = 'open' | 'user' | 'owner' | 'fresh-owner'

/** Throws `forbidden` or `login_again` when the caller lacks the rights. `field` names the setting that needs them. */
export function checkRights(rights: Rights, caller: Caller, field?: string): void {
  const more = field === undefined ? {} : { field }
  if ((rights === 'owner' || rights === 'fresh-owner') && !caller.isOwner)
    throw new ApiError('forbidden', 'Only the owner of this installation can do that.', more)
  if (rights === 'fresh-owner' && !caller.isFresh)
    throw new ApiError(
      'login_again',
      'This reaches the machine, so log in again first: run "npx capstan login" and open its link in this browser.',
      more,
    )
}
