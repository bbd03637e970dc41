import type { NoSync } from '../../sync/memory-sync.ts'
import { ApiError, notFound } from '../api-error.ts'
import { NOTHING, defineRoute } from '../route.ts'
import { anyId, yesOrNo } from '../schemas/common.ts'
import { estimateQuery, syncEstimate, syncList, syncPut, syncView } from '../schemas/sync.ts'

const params = { connectionId: anyId }

const listSyncs = defineRoute({
  method: 'GET',
  path: '/api/syncs',
  rights: 'user',
  summary: 'The connections whose apps can be synced into memory, and the state of each sync.',
  answer: syncList,
  handle: async ({ assistant, caller }) => ({ syncs: [...(await assistant.sync.list(caller.userId))] }),
})

const readSync = defineRoute({
  method: 'GET',
  path: '/api/connections/:connectionId/sync',
  rights: 'user',
  summary: 'The memory sync of a connection.',
  params,
  answer: syncView,
  handle: async ({ assistant, caller, params: { connectionId } }) =>
    orRefuse(await assistant.sync.read(caller.userId, connectionId)),
})

const estimateSync = defineRoute({
  method: 'GET',
  path: '/api/connections/:connectionId/sync/estimate',
  rights: 'user',
  summary: 'What a first sync of a connection needs. Asks the app a few questions and stores nothing.',
  params,
  query: estimateQuery,
  answer: syncEstimate,
  async handle({ assistant, caller, params: { connectionId }, query: { requestsPerDay, tokensPerDay } }) {
    const limits = {
      ...(requestsPerDay !== undefined && { requestsPerDay }),
      ...(tokensPerDay !== undefined && { tokensPerDay }),
    }
    const estimate = assistant.sync.estimate(caller.userId, connectionId, limits).catch(() => {
      // What the app said may hold anything.
      throw new ApiError('unavailable', 'The app did not answer. Try again later.')
    })
    const embedder = assistant.readSettings(caller.userId).embeddingInUse?.name
    return { ...orRefuse(await estimate), ...(embedder !== undefined && { embedder }) }
  },
})

const switchOn = defineRoute({
  method: 'PUT',
  path: '/api/connections/:connectionId/sync',
  rights: 'user',
  summary:
    'Switches the memory sync of a connection on, or changes its settings. "expected" is the count of an estimate.',
  params,
  body: syncPut,
  example: { intervalMinutes: 60 },
  answer: syncView,
  async handle({ assistant, caller, params: { connectionId }, body: { expected, ...settings } }) {
    const view = orRefuse(await assistant.sync.switchOn(caller.userId, connectionId, settings, expected))
    await assistant.record(caller.userId, 'setting-change', `sync.${connectionId}`, { to: 'on' })
    return view
  },
})

const switchOff = defineRoute({
  method: 'DELETE',
  path: '/api/connections/:connectionId/sync',
  rights: 'user',
  summary: 'Switches the memory sync of a connection off. "forget" deletes what was synced of the account.',
  params,
  query: { forget: yesOrNo },
  answer: NOTHING,
  async handle({ assistant, caller, params: { connectionId }, query }) {
    const answer = await assistant.sync.switchOff(caller.userId, connectionId, query)
    if (answer === 'unknown') throw notFound()
    await assistant.record(caller.userId, 'setting-change', `sync.${connectionId}`, { to: 'off' })
  },
})

function orRefuse<Answer extends object>(answer: Answer | NoSync): Answer {
  if (typeof answer === 'object') return answer
  if (answer === 'unknown') throw notFound()
  throw new ApiError(
    'conflict',
    answer === 'unsupported' ? 'This app offers nothing to sync.' : 'Connect the account again first.',
  )
}

export const SYNC_ROUTES = [listSyncs, readSync, estimateSync, switchOn, switchOff]
