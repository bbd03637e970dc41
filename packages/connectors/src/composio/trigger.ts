import type { Composio } from '@composio/core'
import { sanitizeLine, toSlug } from '@capstan/harness/connectors'

/** A webhook as it arrived. The body must be the signed text itself, not JSON that was parsed and written again. */
export interface TriggerDelivery {
  readonly body: string
  /** `webhook-id`, `webhook-timestamp` and `webhook-signature`, in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly secret: string
  /** How old it may be. Default five minutes. */
  readonly maxAgeMs?: number
}

/** An event of an app. The `payload` is untrusted. */
export interface ComposioTrigger {
  readonly id: string
  readonly trigger: string
  readonly toolkit: string
  /** The user's id at Composio. */
  readonly userId: string
  readonly account: string
  readonly payload: unknown
}

/** Checks and reads a webhook. Throws a one-line error, without the secret, for one that is unsigned, too old or unreadable. */
export async function parseTrigger(
  composio: Composio,
  { body, headers, secret, maxAgeMs = 300_000 }: TriggerDelivery,
): Promise<ComposioTrigger> {
  const header = (name: string): string => {
    const value = headers[name]
    return typeof value === 'string' ? value : ''
  }
  const verified = await composio.triggers
    .verifyWebhook({
      payload: body,
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
      secret,
      tolerance: Math.ceil(maxAgeMs / 1_000),
    })
    .catch(() => {
      throw new Error('the webhook is not signed by Composio, is too old or cannot be read')
    })
  const { id, triggerSlug, toolkitSlug, userId, metadata, payload } = verified.payload
  return {
    id: sanitizeLine(id, 200),
    trigger: sanitizeLine(triggerSlug, 200),
    toolkit: toSlug(toolkitSlug),
    userId,
    account: sanitizeLine(metadata.connectedAccount.id, 200),
    payload,
  }
}
