import type { TriggerSourceKind } from '@capstan/protocol'
import { useT } from '../../i18n/use-t.ts'

const BRANDS = { github: 'GitHub', stripe: 'Stripe', slack: 'Slack', linear: 'Linear', composio: 'Composio' }

const isBrand = (kind: string): kind is keyof typeof BRANDS => Object.hasOwn(BRANDS, kind)

/** The name of a kind of source. Names of services are the same in every language. */
export function useKindName(): (kind: TriggerSourceKind) => string {
  const t = useT()
  return (kind) => (isBrand(kind) ? BRANDS[kind] : t(`triggers.kinds.${kind}`))
}
