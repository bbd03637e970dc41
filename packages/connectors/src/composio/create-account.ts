import { toSlug } from '@capstan/harness/connectors'
import type { SignIn, SignInStep } from '@capstan/harness/connectors'
import type { SecretVault } from '@capstan/harness/stores'
import type { ConnectionRow } from '@capstan/protocol'
import type { ServiceToolkit } from './catalogue.ts'
import { authOf, listToolkits, nameOf } from './catalogue.ts'
import { readAccount, writeAccount } from './stored-account.ts'
import type { Service } from './service.ts'
import { ServiceError } from './service.ts'

export interface AccountOptions {
  readonly service: Service
  readonly vault: SecretVault
  readonly userIdOf: (connection: ConnectionRow) => string
  readonly authConfigs: Readonly<Record<string, string>>
}

/** Creates an account at Composio and answers with the page its owner has to visit. */
export async function createAccount(
  options: AccountOptions,
  connection: ConnectionRow,
  signIn: SignIn,
): Promise<SignInStep> {
  const { service, vault } = options
  const toolkit = (await listToolkits(service)).get(connection.toolkit)
  if (!toolkit) return failed('This app is not offered by Composio.')
  // The account of an earlier attempt counts against the limits of some apps.
  const earlier = (await readAccount(vault, connection))?.account
  if (earlier !== undefined) await deleteAccount(service, earlier).catch(() => {})
  if (authOf(toolkit) === 'none') {
    await writeAccount(vault, connection, { toolkit: toolkit.slug })
    return { type: 'settled', status: 'active' }
  }
  const authConfig = await findAuthConfig(options, toolkit)
  if (authConfig === undefined) {
    return failed('Composio has no way to sign in to this app yet: it needs an auth config of its own.')
  }
  const link = await service.mutate((client, how) =>
    client.link.create(
      {
        auth_config_id: authConfig,
        user_id: options.userIdOf(connection),
        callback_url: toCallback(signIn),
      },
      how,
    ),
  )
  await writeAccount(vault, connection, { toolkit: toolkit.slug, account: link.connected_account_id })
  return { type: 'visit', url: toVisitUrl(link.redirect_url) }
}

/** Deletes the account, and revokes the authorisation at the app. */
export async function deleteAccount(service: Service, account: string): Promise<void> {
  await service.mutate((client, how) =>
    client.connectedAccounts.delete(account, { revoke_on_delete: true }, how),
  )
}

const failed = (reason: string): SignInStep => ({ type: 'settled', status: 'failed', reason })

/** The configured one, or one of the project, or one that Composio manages. Undefined when there is none. */
async function findAuthConfig(
  { service, authConfigs }: AccountOptions,
  toolkit: ServiceToolkit,
): Promise<string | undefined> {
  const { slug } = toolkit
  const name = toSlug(slug)
  if (Object.hasOwn(authConfigs, name)) return authConfigs[name]
  const { items } = await service.query((client, how) => client.authConfigs.list({ toolkit_slug: slug }, how))
  const usable = items.find(({ status }) => status !== 'DISABLED')
  if (usable) return usable.id
  const managed = { type: 'use_composio_managed_auth', name: nameOf(toolkit) } as const
  try {
    const made = await service.mutate((client, how) =>
      client.authConfigs.create({ toolkit: { slug }, auth_config: managed }, how),
    )
    return made.auth_config.id
  } catch (error) {
    if (error instanceof ServiceError && error.failure.status === 400) return undefined
    throw error
  }
}

/** Composio carries no state of its own; the query of the callback comes back with the person. */
function toCallback({ redirectUri, state }: SignIn): string {
  const callback = new URL(redirectUri)
  callback.searchParams.set('state', state)
  return callback.href
}

/** Throws for an address that a browser must not open. */
function toVisitUrl(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url.href
  throw new Error('Composio answered with an address that is no web page')
}
