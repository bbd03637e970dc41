import type { ApiClient } from '@capstan/client'
import { MAX_ITEMS_FORGOTTEN } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { isolate } from '../../approvals/approval-buttons.tsx'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'
import { ForgetDialog } from '../forget-dialog.tsx'
import type { Source } from '../source.ts'
import { SyncNote } from './sync-note.tsx'

/** What a person wants forgotten: chosen items, or all of a source. */
export type Forgetting =
  | { readonly kind: 'items'; readonly ids: readonly string[]; readonly title?: string }
  | { readonly kind: 'source'; readonly source: Source & { readonly app: string }; readonly count: number }

/** Asks before items are forgotten: what is deleted, and what is not. */
export function ForgetItems({
  what,
  onForgotten,
  onClose,
}: {
  readonly what: Forgetting
  readonly onForgotten: () => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const count = what.kind === 'items' ? what.ids.length : what.count

  async function forget(): Promise<void> {
    const forgotten = await forgetAll(api, what)
    toast({ text: t('memory.forget.done', { count: forgotten }) })
    onForgotten()
  }

  return (
    <ForgetDialog title={useTitle(what)} onForget={forget} onClose={onClose}>
      <p>{t('memory.forget.text', { count })}</p>
      <p>{t('memory.forget.kept')}</p>
      {what.kind === 'items' ? <p>{t('memory.forget.staysOut')}</p> : <SyncNote source={what.source} />}
    </ForgetDialog>
  )
}

function useTitle(what: Forgetting): string {
  const t = useT()
  if (what.kind === 'source')
    return t('memory.forget.titleApp', { app: isolate(what.source.account ?? what.source.app) })
  return what.title === undefined
    ? t('memory.forget.title')
    : t('memory.forget.titleItem', { title: isolate(what.title) })
}

async function forgetAll(api: ApiClient, what: Forgetting): Promise<number> {
  if (what.kind === 'source') {
    const { app, account } = what.source
    return (await api.forgetApp(app, account === undefined ? {} : { account })).forgotten
  }
  let forgotten = 0
  for (let at = 0; at < what.ids.length; at += MAX_ITEMS_FORGOTTEN)
    forgotten += (await api.forgetItems(what.ids.slice(at, at + MAX_ITEMS_FORGOTTEN))).forgotten
  return forgotten
}
