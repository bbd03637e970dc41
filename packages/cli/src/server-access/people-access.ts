import { existsSync } from 'node:fs'
import type { LoginRow, MemberLink } from '@capstan/protocol'
import { refuseBesideNodes } from '../store-access/open-store.ts'
import { recordAudit } from '../store-access/record-audit.ts'
import { CommandError } from '../shell/shell.ts'
import type { Environment } from '../terminal/style.ts'
import { openServerApi } from './call-server.ts'
import { findServer } from './server-file.ts'

/** A member, as the commands show one. */
export interface ListedMember {
  readonly userId: string
  readonly addedAt: number
  readonly logins: number
  readonly usedAt?: number
}

/** A link that logs a member in. */
export type LoginLink = Pick<MemberLink, 'link' | 'isLocalOnly'>

/** The logins of the owner, and the members. */
export interface PeopleAccess {
  logins(): Promise<readonly LoginRow[]>
  revokeLogin(id: string): Promise<void>
  members(): Promise<readonly ListedMember[]>
  /** The login link, if a server is running. */
  addMember(userId: string): Promise<LoginLink | undefined>
  /** False when there is no such member. */
  removeMember(userId: string): Promise<boolean>
}

/** Asks the running server, which ends sockets at once; without one, changes the file in the data folder. */
export async function openPeopleAccess(home: string, env: Environment): Promise<PeopleAccess> {
  const server = findServer(home)
  if (server) {
    const call = await openServerApi(home, server)
    return {
      logins: async () => (await call((api) => api.logins())).logins,
      revokeLogin: (id) => call((api) => api.revokeLogin(id)),
      members: async () => (await call((api) => api.members())).members,
      addMember: async (userId) => toLoginLink(await call((api) => api.addMember(userId))),
      async removeMember(userId) {
        const { members } = await call((api) => api.members())
        if (!members.some((member) => member.userId === userId)) return false
        await call((api) => api.removeMember(userId))
        return true
      },
    }
  }
  refuseBesideNodes(env)
  if (!existsSync(home))
    throw new CommandError(`There is no data in ${home} yet. Start with "capstan serve".`)
  const { openAuth } = await import('@capstan/server')
  const auth = openAuth({ folder: home })
  return {
    logins: async () => auth.listLogins(auth.ownerId),
    async revokeLogin(id) {
      if (await auth.revokeLogin(auth.ownerId, id))
        await recordAudit(home, { action: 'login-end', subject: auth.ownerId, facts: { login: id } })
    },
    members: async () => auth.listMembers(),
    async addMember(userId) {
      await auth.addMember(userId)
      await recordAudit(home, { action: 'member-add', subject: userId })
      return undefined
    },
    async removeMember(userId) {
      const isGone = await auth.removeMember(userId)
      if (isGone) await recordAudit(home, { action: 'member-remove', subject: userId })
      return isGone
    },
  }
}

const toLoginLink = ({ link, isLocalOnly }: MemberLink): LoginLink => ({ link, isLocalOnly })
