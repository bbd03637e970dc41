import { toSlug } from '@capstan/harness'
import type { SecretVault, SignIn, SignInStep } from '@capstan/harness'
import type { ConnectionRow } from '@capstan/protocol'
import type { ServiceToolkit } from './catalogue.ts'
import { authOf, listToolkits, nameOf } from './catalogue.ts'
import { readKept, writeKept } from './kept-account.ts'
import type { Service } from './service.ts'
import { ServiceError } from './service.ts'

export interface SignInDesk {
  readonly service: Service
  readonly vault: SecretVault
  readonly userIdOf: (connection: ConnectionRow) => string
  readonly authConfigs: Readonly<Record<string, string>>
}

/** Opens an account at the service and says where its owner has to go. */
export async function beginSignIn(
  desk: SignInDesk,
  connection: ConnectionRow,
  signIn: SignIn,
): Promise<SignInStep> {
  const { service, vault } = desk
  const toolkit = (await listToolkits(service)).get(connection.toolkit)
  if (!toolkit) return failed('This app is not offered by Composio.')
  // What is left of an earlier attempt counts against the limits of some apps.
  const earlier = (await readKept(vault, connection))?.account
  if (earlier !== undefined) await deleteAccount(service, earlier).catch(() => {})
  if (authOf(toolkit) === 'none') {
    await writeKept(vault, connection, { toolkit: toolkit.slug })
    return { type: 'settled', status: 'active' }
  }
  const authConfig = await findAuthConfig(desk, toolkit)
  if (authConfig === undefined) {
    return failed('Composio has no way to sign in to this app yet: it needs an auth config of its own.')
  }
  const link = await service.tell((client, how) =>
    client.link.create(
      {
        auth_config_id: authConfig,
        user_id: desk.userIdOf(connection),
        callback_url: toCallback(signIn),
      },
      how,
    ),
  )
  await writeKept(vault, connection, { toolkit: toolkit.slug, account: link.connected_account_id })
  return { type: 'visit', url: toVisitUrl(link.redirect_url) }
}

/** Also takes the authorisation back at the app. */
export async function deleteAccount(service: Service, account: string): Promise<void> {
  await service.tell((client, how) =>
    client.connectedAccounts.delete(account, { revoke_on_delete: true }, how),
  )
}

const failed = (reason: string): SignInStep => ({ type: 'settled', status: 'failed', reason })

/** The one that was configured, else one of the project, else one that Composio manages; undefined when there is none. */
async function findAuthConfig(
  { service, authConfigs }: SignInDesk,
  toolkit: ServiceToolkit,
): Promise<string | undefined> {
  const { slug } = toolkit
  const own = authConfigs[toSlug(slug)]
  if (own !== undefined) return own
  const { items } = await service.ask((client, how) => client.authConfigs.list({ toolkit_slug: slug }, how))
  const usable = items.find(({ status }) => status !== 'DISABLED')
  if (usable) return usable.id
  const managed = { type: 'use_composio_managed_auth', name: nameOf(toolkit) } as const
  try {
    const made = await service.tell((client, how) =>
      client.authConfigs.create({ toolkit: { slug }, auth_config: managed }, how),
    )
    return made.auth_config.id
  } catch (error) {
    if (error instanceof ServiceError && error.failure.status === 400) return undefined
    throw error
  }
}

/** Composio has no state of its own to carry; what is in the query comes back with the person. */
function toCallback({ redirectUri, state }: SignIn): string {
  const callback = new URL(redirectUri)
  callback.searchParams.set('state', state)
  return callback.href
}

/** An address a browser may be sent to. */
function toVisitUrl(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url.href
  throw new Error('Composio answered with an address nobody can go to')
}
