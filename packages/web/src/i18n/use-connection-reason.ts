import type { ConnectionRow } from '@capstan/protocol'
import { en } from './en/index.ts'
import { useT } from './use-t.ts'

/** Why an account cannot be used, in the active language where the reason is a known one. */
export function useConnectionReason(): (
  connection: Pick<ConnectionRow, 'reason' | 'reasonCode'>,
) => string | undefined {
  const t = useT()
  // A newer server may send codes that this page does not know.
  return ({ reason, reasonCode }) =>
    reasonCode !== undefined && reasonCode in en.connections.reasons
      ? t(`connections.reasons.${reasonCode}`)
      : reason
}
