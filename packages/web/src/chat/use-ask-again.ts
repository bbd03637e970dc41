import { useCallback } from 'react'
import type { AttachmentPost } from '@capstan/protocol'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import type { Turn } from '@capstan/client'
import type { ThreadStore } from '../state/thread-store.ts'
import { useToast } from '../ui/toast.tsx'
import { toBase64 } from './attachments.ts'

/** Asks what a turn was about once more, with the files that came with it. Without them it would be another question. */
export function useAskAgain(threadId: string, store: ThreadStore): (turn: Turn) => void {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  return useCallback(
    (turn) => {
      const { outbox, snapshot } = store
      const { state } = snapshot()
      const { text, runId, attachments } = askedIn(state.turns, turn)
      const read = async (): Promise<readonly AttachmentPost[]> =>
        outbox.filesOf(runId) ??
        Promise.all(
          attachments.map(async ({ ref, mediaType, name = t('chat.image-plain') }) => ({
            name,
            mediaType,
            data: toBase64(await api.media(threadId, kept(ref))),
          })),
        )
      read().then(
        (files) => outbox.send({ text, mode: 'send', attachments: files }, state.lastSeq),
        () => toast({ text: t('chat.files-gone'), tone: 'fail' }),
      )
    },
    [store, api, threadId, t, toast],
  )
}

/** The bytes of a text file, or of one that could not be taken, are not kept. */
function kept(ref: string | undefined): string {
  if (ref === undefined) throw new Error('it was not kept')
  return ref
}

/** One that was continued has no words of its own: what was asked stands further up. */
function askedIn(turns: readonly Turn[], turn: Turn): Turn {
  return turns.slice(0, turns.indexOf(turn) + 1).findLast(({ text }) => text.trim() !== '') ?? turn
}
