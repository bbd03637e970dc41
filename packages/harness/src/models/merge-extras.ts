import type { ProviderExtras } from '../turn/message/message.ts'

/** Provider options from two sources. Per option, the second wins. */
export function mergeExtras(first: ProviderExtras, second: ProviderExtras | undefined): ProviderExtras {
  if (!second) return first
  const merged: Record<string, ProviderExtras[string]> = { ...first }
  for (const [provider, options] of Object.entries(second)) {
    merged[provider] = { ...first[provider], ...options }
  }
  return merged
}
