/**
 * Why no answer came over the network. `silent`: nothing listens there. `unknown-host`: the name is not known.
 * `insecure`: the certificate or the TLS of the other side is at fault. `slow`: it took too long.
 */
export type NetworkFault = 'silent' | 'unknown-host' | 'insecure' | 'slow'

const MAX_CAUSES = 8

/** The fault that an error, or one of its causes, names by its code. Undefined when none does. Pure. */
export function networkFaultOf(error: unknown): NetworkFault | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_CAUSES; at = at.cause, depth++) {
    if (at.name === 'TimeoutError') return 'slow'
    const fault = 'code' in at && typeof at.code === 'string' ? byCode(at.code) : undefined
    if (fault) return fault
  }
  return undefined
}

function byCode(code: string): NetworkFault | undefined {
  if (/^E(?:CONNREFUSED|HOSTUNREACH|NETUNREACH|HOSTDOWN)$/.test(code)) return 'silent'
  if (/^(?:ENOTFOUND|EAI_\w+)$/.test(code)) return 'unknown-host'
  if (/^(?:ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/.test(code)) return 'slow'
  return /^(?:ERR_(?:SSL|TLS)_|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_MISMATCH)/.test(code)
    ? 'insecure'
    : undefined
}
