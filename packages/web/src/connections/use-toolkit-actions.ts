import type { ConnectionRow, ToolkitView } from '@capstan/protocol'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { useToast } from '../ui/overlays/toast.tsx'
import { useAccountName } from './account-row.tsx'

/** What a person can do with an app and its accounts. */
export interface ToolkitActions {
  /** Never rejects: a failure is shown as a toast. */
  readonly makeDefault: (account: ConnectionRow) => Promise<void>
  /** Never rejects: a failure is shown as a toast. */
  readonly share: (shared: boolean) => Promise<void>
  /** `forget`: what was synced of the account is deleted. */
  readonly disconnect: (account: ConnectionRow, forget: boolean) => Promise<void>
  readonly remove: () => Promise<void>
}

export function useToolkitActions(
  { slug, name }: ToolkitView,
  on: {
    /** Something changed that no server event reports. */
    readonly onChange: () => void
    readonly onDisconnected: (account: ConnectionRow) => void
  },
): ToolkitActions {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const toReason = useReason()
  const toAccountName = useAccountName()
  return {
    async makeDefault(account) {
      try {
        await api.makeDefault(account.id)
        on.onChange()
      } catch (error) {
        toast({ text: toReason(error), tone: 'fail' })
      }
    },
    async share(shared) {
      try {
        await api.changeMcpServer(slug, { shared })
        on.onChange()
      } catch (error) {
        toast({ text: t('people.share.failed', { reason: toReason(error) }), tone: 'fail' })
      }
    },
    async disconnect(account, forget) {
      await (forget ? api.disconnect(account.id, { forget }) : api.disconnect(account.id))
      on.onDisconnected(account)
      toast({ text: t('connections.disconnected', { account: toAccountName(account) }) })
      on.onChange()
    },
    async remove() {
      await api.removeMcpServer(slug)
      toast({ text: t('connections.remove.done', { name }) })
      on.onChange()
    },
  }
}
