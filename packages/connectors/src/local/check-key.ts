import { toThrownOutcome } from '@capstan/harness/connectors'
import { hideSecrets } from '../hide-secrets.ts'
import type { KeyVerdict, LocalToolkit } from './local-toolkit.ts'

/** Asks a toolkit whether a key is good. Rejects when it cannot tell; the error never holds the key. */
export async function checkKey(
  toolkit: LocalToolkit,
  key: string,
  signal?: AbortSignal,
): Promise<KeyVerdict> {
  try {
    return (await toolkit.checkKey?.(key, signal)) ?? { ok: true }
  } catch (error) {
    signal?.throwIfAborted()
    const { httpStatus, errorCode } = toThrownOutcome(error)
    const why = [httpStatus, errorCode].filter((fact) => fact !== undefined).join(', ')
    const text = `the key for ${toolkit.slug} could not be checked${why && ` (${why})`}`
    // oxlint-disable-next-line preserve-caught-error -- a cause would carry the key along
    throw new Error(hideSecrets(text, [key]))
  }
}
