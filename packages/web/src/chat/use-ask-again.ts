import { useCallback } from 'react'
import type { AttachmentPost } from '@capstan/protocol'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import type { Turn } from '@capstan/client'
import type { ThreadStore } from '../state/thread-store.ts'
import { useToast } from '../ui/overlays/toast.tsx'
import { toBase64 } from './composer/attachments.ts'

/** Sends the message of a turn again with its files. When a file is missing, nothing is sent. */
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

/** The bytes of text files and of refused files are not stored. */
function kept(ref: string | undefined): string {
  if (ref === undefined) throw new Error('it was not kept')
  return ref
}

/** A continued turn has no message of its own: the message is in an earlier turn. */
function askedIn(turns: readonly Turn[], turn: Turn): Turn {
  return turns.slice(0, turns.indexOf(turn) + 1).findLast(({ text }) => text.trim() !== '') ?? turn
}
