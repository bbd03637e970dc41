import type { AmountSpent, Spending, SpendingLimits, SpendingPeriod } from '@capstan/protocol'
import { CommandError } from '../shell/shell.ts'
import { refuseBesideNodes } from '../store-access/open-store.ts'
import type { Environment } from '../terminal/style.ts'
import { openServerApi } from './call-server.ts'
import { findServer } from './server-file.ts'

/** What a user may spend, and has spent. What a member has spent is known to them alone. */
export interface UserSpending {
  readonly userId: string
  readonly limits: SpendingLimits
  readonly used?: Readonly<Record<SpendingPeriod, AmountSpent>>
}

/** The budgets of an installation. */
export interface SpendingAccess {
  read(member?: string): Promise<UserSpending>
  /** Replaces what may be spent. A limit that is left out is none. */
  change(limits: SpendingLimits, member?: string): Promise<UserSpending>
}

/** Asks the running server. Throws a `CommandError` without one: it counts what is spent. */
export async function openSpendingAccess(home: string, env: Environment): Promise<SpendingAccess> {
  const server = findServer(home)
  if (!server) {
    refuseBesideNodes(env)
    throw new CommandError('No server is running for this data folder, and budgets are kept by the server.', {
      class: 'service_unavailable',
      next: 'Start it with "capstan serve", then run this command again.',
    })
  }
  const call = await openServerApi(home, server)
  const memberOf = async (name: string) => {
    const { members } = await call((api) => api.members())
    const member = members.find(({ userId }) => userId === name)
    if (member) return member
    throw new CommandError(`There is no member "${name}".`, {
      class: 'not_found',
      next: '"capstan members" lists those that there are.',
    })
  }
  return {
    async read(name) {
      if (name === undefined) return toOwn(await call((api) => api.spending()))
      return { userId: name, limits: spendingOf((await memberOf(name)).limits) }
    },
    async change(limits, name) {
      if (name === undefined) return toOwn(await call((api) => api.changeSpending(limits)))
      const { limits: before } = await memberOf(name)
      const { turnsAtOnce, messagesPerMinute, threads, storedMegabytes } = before
      const { usdPerDay = before.usdPerDay, ...rest } = limits
      const changed = { turnsAtOnce, messagesPerMinute, threads, storedMegabytes, usdPerDay, ...rest }
      const member = await call((api) => api.changeMember(name, { limits: changed }))
      return { userId: name, limits: spendingOf(member.limits) }
    },
  }
}

const toOwn = ({ limits, used }: Spending): UserSpending => ({ userId: 'owner', limits, used })

function spendingOf({
  usdPerDay,
  usdPerMonth,
  tokensPerDay,
  tokensPerMonth,
}: SpendingLimits): SpendingLimits {
  return {
    ...(usdPerDay === undefined ? undefined : { usdPerDay }),
    ...(usdPerMonth === undefined ? undefined : { usdPerMonth }),
    ...(tokensPerDay === undefined ? undefined : { tokensPerDay }),
    ...(tokensPerMonth === undefined ? undefined : { tokensPerMonth }),
  }
}
