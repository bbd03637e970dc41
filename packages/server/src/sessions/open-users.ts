import type { AgentDefinition } from '@capstan/harness'
import type { Integrations } from '@capstan/harness/integrations'
import type { Allowance, Clock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import type { Nodes } from '../cluster/nodes.ts'
import type { NamedSecretStore } from '../settings/named-secrets.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { Schedules } from '../schedules/schedules.ts'
import type { AllUsers } from './all-users.ts'
import { createAllUsers } from './all-users.ts'
import type { Holds } from './holds.ts'
import type { SecretList } from './secret-list.ts'
import type { SettingsChanges } from './settings-changes.ts'
import { createUserAgent } from './user-agent.ts'
import { createUserThreads } from './user-threads.ts'

type AgentSetup = Omit<
  Parameters<typeof createUserAgent>[0],
  | 'userId'
  | 'store'
  | 'settings'
  | 'integrations'
  | 'namedSecrets'
  | 'secrets'
  | 'agents'
  | 'allowance'
  | 'schedules'
>

/** The threads of every user, each with an agent made from the parts of the installation. */
export function openUsers(
  setup: AgentSetup & {
    readonly clock: Clock
    readonly onProblem: (problem: unknown) => void
  },
  parts: {
    readonly store: Store
    readonly integrations: Integrations
    readonly holds: Holds
    readonly isHeld: (userId: string) => boolean
    readonly nodes: Pick<Nodes, 'bus' | 'dispatch' | 'publish'>
    readonly settings: SettingsStore
    readonly changes: SettingsChanges
    readonly agents: readonly AgentDefinition[]
    readonly namedSecrets: NamedSecretStore
    readonly secrets: SecretList
    readonly schedules: Schedules
    readonly allowanceOf: (userId: string) => Allowance
  },
): AllUsers {
  const { store, integrations, holds, isHeld, nodes, settings, changes, secrets } = parts
  const { clock, onProblem } = setup
  const { bus, publish, dispatch } = nodes
  return createAllUsers({
    store,
    integrations,
    holds,
    onProblem,
    createThreads: (userId) =>
      createUserThreads({
        userId,
        store,
        bus,
        agent: createUserAgent({
          ...setup,
          ...parts,
          userId,
          secrets: secrets.values,
          allowance: parts.allowanceOf(userId),
        }),
        model: () => settings.model(userId).client,
        queueMode: () => settings.of(userId).queueMode,
        settingsVersion: () => changes.version,
        isHeld: () => isHeld(userId),
        ...(dispatch && { dispatch }),
        publish,
        onProblem,
        clock,
      }),
  })
}
