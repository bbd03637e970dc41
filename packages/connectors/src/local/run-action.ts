import { fail } from '@capstan/harness'
import { checkArguments, toOutcome, toThrownOutcome } from '@capstan/harness/connectors'
import type { ToolOutcome } from '@capstan/harness'
import type { ActionCall } from '@capstan/harness/connectors'
import type { JsonObject } from '@capstan/harness/seams'
import type { ConnectionRow } from '@capstan/protocol'
import { hideSecrets } from '../hide-secrets.ts'
import { untilAborted } from '../until-aborted.ts'
import type { LocalAction } from './local-toolkit.ts'

interface LocalCall {
  readonly action: LocalAction
  readonly connection: ConnectionRow
  /** The key of a toolkit that needs one. It is removed from the action's output. */
  readonly key: string | undefined
}

/** What a call needs before it can run, or why it cannot. */
export type PreparedCall = LocalCall | { readonly refusal: ToolOutcome }

/** Runs an action of this process. Never throws: what went wrong is an outcome. */
export async function runAction(
  prepare: () => Promise<PreparedCall>,
  args: JsonObject,
  call: ActionCall,
  closing: AbortSignal,
): Promise<ToolOutcome> {
  const signal = AbortSignal.any([call.signal, closing])
  let key: string | undefined
  try {
    signal.throwIfAborted()
    const prepared = await prepare()
    if ('refusal' in prepared) return prepared.refusal
    key = prepared.key
    return withoutKey(await untilAborted(run(prepared, args, { ...call, signal }), signal), key)
  } catch (error) {
    if (call.signal.aborted) return fail('It was stopped before it finished.', { cancelled: true })
    if (closing.aborted) return fail('The app was closed.', { errorCode: 'service_unavailable' })
    return withoutKey(toThrownOutcome(error), key)
  }
}

async function run(
  { action, connection, key }: LocalCall,
  args: JsonObject,
  call: ActionCall,
): Promise<ToolOutcome> {
  const checked = await checkArguments({ ...action, run: () => undefined }, args)
  if ('refusal' in checked) return checked.refusal
  const context = { ...call, connection, ...(key !== undefined && { key }) }
  return toOutcome(await action.run(checked.value as never, context))
}

const withoutKey = (outcome: ToolOutcome, key: string | undefined): ToolOutcome =>
  key === undefined ? outcome : { ...outcome, text: hideSecrets(outcome.text, [key]) }
