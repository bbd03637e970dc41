import type { ChoiceReceipt, DirectorySnapshot, SignInAnswer } from '@capstan/harness/integrations'
import type { ConnectionRow } from '@capstan/protocol'
import { z } from 'zod'
import { CALLBACK_PATH } from '../../oauth/callback-path.ts'
import { ApiError, notFound } from '../api-error.ts'
import type { Call } from '../route.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { anyId, yesOrNo } from '../schemas/common.ts'
import {
  actionEffectPut,
  actionList,
  connectionRow,
  scopeSettings,
  signInReply,
  toolkitList,
} from '../schemas/connections.ts'

const params = { connectionId: anyId }
/** More accounts of one app than a person has, pending ones included. */
const MAX_PER_APP = 50

const listToolkits = defineRoute({
  method: 'GET',
  path: '/api/toolkits',
  rights: 'user',
  summary: 'Apps with their connections and scopes.',
  answer: toolkitList,
  async handle(call) {
    const { assistant, caller } = call
    const snapshot = await readDirectory(call)
    const connections = await assistant.integrations.connections.list(caller.userId)
    const added = new Map(
      (caller.isOwner ? assistant.listMcpServers() : []).map(({ slug, shared }) => [slug, shared]),
    )
    const toolkits = (snapshot?.toolkits ?? []).map(async (toolkit) => {
      const { slug, name, description, connector, auth } = toolkit
      return {
        slug,
        name,
        description,
        connector,
        auth,
        connections: connections.filter((connection) => connection.toolkit === slug),
        scopes: await assistant.store.connections.scopes(caller.userId, slug),
        isOwn: added.has(slug),
        ...(added.has(slug) ? { shared: added.get(slug) === true } : undefined),
        ...(connector === 'mcp' ? { isTrusted: assistant.isTrusted(slug) } : undefined),
      }
    })
    return { authoritative: snapshot?.authoritative ?? false, toolkits: await Promise.all(toolkits) }
  },
})

const setScopes = defineRoute({
  method: 'PUT',
  path: '/api/toolkits/:toolkit/scopes',
  rights: 'user',
  summary: 'Sets which kinds of actions the model may use in an app.',
  params: { toolkit: anyId },
  body: scopeSettings,
  example: { read: true, write: false, admin: false },
  answer: scopeSettings,
  async handle(call) {
    const { assistant, caller, params: wanted, body } = call
    const snapshot = await readDirectory(call)
    if (!snapshot?.toolkits.some(({ slug }) => slug === wanted.toolkit)) throw notFound()
    await assistant.integrations.connections.setScopes(caller.userId, wanted.toolkit, body)
    await assistant.record(caller.userId, 'setting-change', `scopes.${wanted.toolkit}`, { ...body })
    return body
  },
})

const listActions = defineRoute({
  method: 'GET',
  path: '/api/toolkits/:toolkit/actions',
  rights: 'user',
  summary: 'The actions of a connected app: what each counts as, and why.',
  params: { toolkit: anyId },
  answer: actionList,
  async handle({ assistant, caller, params: wanted }) {
    const listed = await assistant.integrations.actions.list(caller.userId, wanted.toolkit)
    if (listed.type !== 'listed') throw refuseActions(listed.type)
    return { actions: [...listed.actions] }
  },
})

const setActionEffect = defineRoute({
  method: 'PUT',
  path: '/api/toolkits/:toolkit/action-effect',
  rights: 'user',
  summary: 'Sets what an action of a connected app counts as.',
  params: { toolkit: anyId },
  body: actionEffectPut,
  example: { action: 'list_notes', effect: 'write' as const, digest: 'a-digest' },
  answer: NOTHING,
  async handle({ assistant, caller, params: wanted, body }) {
    const { actions } = assistant.integrations
    const receipt = await actions.choose(caller.userId, wanted.toolkit, body.action, body)
    if (receipt !== 'set') throw refuseActions(receipt)
    const subject = `effects.${wanted.toolkit}.${body.action}`
    await assistant.record(caller.userId, 'setting-change', subject, { to: body.effect ?? 'default' })
  },
})

function refuseActions(why: Exclude<ChoiceReceipt, 'set'>): ApiError {
  switch (why) {
    case 'not-connected':
    case 'unknown':
      return notFound()
    case 'changed':
      return new ApiError('conflict', 'The definition of this action has changed. Look at it again first.')
    case 'unavailable':
      return new ApiError('unavailable', 'The app did not answer. Try again later.')
  }
}

const beginConnection = defineRoute({
  method: 'POST',
  path: '/api/connections',
  rights: 'user',
  summary: 'Creates a connection to an app. It is pending until the sign-in.',
  body: z.strictObject({ toolkit: anyId }),
  example: { toolkit: 'notes' },
  answer: connectionRow,
  async handle({ assistant, caller, body }) {
    const { connections } = assistant.integrations
    const all = await connections.list(caller.userId)
    if (all.filter(({ toolkit }) => toolkit === body.toolkit).length >= MAX_PER_APP)
      throw new ApiError('conflict', 'There are too many connections to this app. Disconnect one first.')
    const connection = await connections.begin(caller.userId, body.toolkit)
    if (!connection) throw notFound()
    return connection
  },
})

const signIn = defineRoute({
  method: 'POST',
  path: '/api/connections/:connectionId/sign-in',
  rights: 'user',
  summary: 'The address of the sign-in. Only the newest address works, and only in this browser.',
  params,
  answer: signInReply,
  async handle(call) {
    const connection = await ownConnection(call)
    if (connection.status !== 'active' && (await authOf(call, connection)) === 'key')
      return { type: 'key' as const }
    return settle(await begin(call, connection))
  },
})

const giveKey = defineRoute({
  method: 'POST',
  path: '/api/connections/:connectionId/key',
  rights: 'user',
  summary: 'Stores the key of an app. It is never returned.',
  params,
  body: z.strictObject({ key: z.string().trim().min(1).max(8000) }),
  example: { key: 'a-key' },
  answer: connectionRow,
  async handle(call) {
    const connection = await ownConnection(call)
    if ((await authOf(call, connection)) !== 'key')
      throw new ApiError('conflict', 'This app takes no key.', { field: 'key' })
    if (connection.status === 'active') throw new ApiError('conflict', 'The app is already connected.')
    await call.assistant.store.connections.vault.write(connection.id, { key: call.body.key })
    const reply = settle(await begin(call, connection))
    if (reply.type !== 'settled') throw new ApiError('conflict', 'This app takes no key.', { field: 'key' })
    return reply.connection
  },
})

const makeDefault = defineRoute({
  method: 'POST',
  path: '/api/connections/:connectionId/default',
  rights: 'user',
  summary: 'Makes this the default account of the app.',
  params,
  answer: NOTHING,
  async handle(call) {
    const { id } = await ownConnection(call)
    const { connections } = call.assistant.integrations
    if (!(await connections.makeDefault(call.caller.userId, id))) throw notFound()
  },
})

const disconnect = defineRoute({
  method: 'DELETE',
  path: '/api/connections/:connectionId',
  rights: 'user',
  summary:
    'Disconnects an account and revokes its authorisation where the service allows it. "forget" deletes what was synced of it.',
  params,
  query: { forget: yesOrNo },
  answer: NOTHING,
  async handle({ assistant, caller, params: wanted, query }) {
    if (!(await assistant.sync.disconnect(caller.userId, wanted.connectionId, query))) throw notFound()
  },
})

async function ownConnection({
  assistant,
  caller,
  params: wanted,
}: Call<{ readonly connectionId: string }>): Promise<ConnectionRow> {
  const connection = await assistant.integrations.connections.get(caller.userId, wanted.connectionId)
  if (!connection || connection.status === 'disconnected') throw notFound()
  return connection
}

/** The directory, or the last known one when it cannot be read now. */
async function readDirectory({ assistant, caller }: Call): Promise<DirectorySnapshot | undefined> {
  const { directory } = assistant.integrations
  try {
    return await directory.read(caller.userId)
  } catch {
    const last = directory.last(caller.userId)
    return last && { ...last, authoritative: false }
  }
}

async function authOf(call: Call, { toolkit }: ConnectionRow): Promise<string | undefined> {
  return (await readDirectory(call))?.toolkits.find(({ slug }) => slug === toolkit)?.auth
}

function begin({ assistant, caller, origin }: Call, { id }: ConnectionRow): Promise<SignInAnswer> {
  const { userId, browserId } = caller
  const redirectUri = `${origin}${CALLBACK_PATH}`
  return assistant.integrations.connections.signIn(id, { userId, browserId, redirectUri })
}

function settle(answer: SignInAnswer) {
  if (answer.type === 'refused') throw new ApiError('conflict', 'Another sign-in is in progress.')
  return answer
}

export const CONNECTION_ROUTES = [
  listToolkits,
  setScopes,
  listActions,
  setActionEffect,
  beginConnection,
  signIn,
  giveKey,
  makeDefault,
  disconnect,
]
