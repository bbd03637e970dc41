import { useEffect, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { useProblemWords } from '../i18n/use-problem-words.ts'
import { useT } from '../i18n/use-t.ts'
import { ApiError } from '@capstan/client'
import { useApi, useSocket } from '../socket/server-context.tsx'
import { openThreadStore } from '../state/use-thread.ts'
import { toPath } from '../routing/route.ts'
import { useRouter } from '../routing/router.tsx'
import { useShortcut } from '../ui/keyboard/shortcuts.tsx'
import { Composer } from './composer/composer.tsx'
import type { ComposerHandle, ComposerProps } from './composer/composer.tsx'
import { Welcome } from './welcome.tsx'

/** A new conversation. The thread is created with the first message. */
export function NewChat(): ReactElement {
  const t = useT()
  const api = useApi()
  const socket = useSocket()
  const { navigate, visit } = useRouter()
  const words = useProblemWords()
  const composer = useRef<ComposerHandle>(null)
  const [problem, setProblem] = useState<ApiError>()
  const isSending = useRef(false)

  const send: ComposerProps['onSend'] = ({ text, attachments }) => {
    if (isSending.current) return
    isSending.current = true
    setProblem(undefined)
    api
      .createThread()
      .then((thread) => {
        const files = attachments.map(({ name, mediaType, data }) => ({ name, mediaType, data }))
        openThreadStore(thread.id, api, socket).outbox.send({ text, mode: 'send', attachments: files }, 0)
        navigate(toPath({ page: 'chat', threadId: thread.id }))
      })
      .catch((error: unknown) => {
        composer.current?.write(text, attachments)
        if (error instanceof ApiError) setProblem(error)
        else throw error
      })
      .finally(() => {
        isSending.current = false
      })
  }

  // "New chat" is pressed to write. On a phone the keyboard would cover half of the page.
  useEffect(() => {
    if (visit > 0 && window.matchMedia?.('(pointer: fine)').matches) composer.current?.focus()
  }, [visit])
  useShortcut('/', t('chat.composer.label'), () => composer.current?.focus())

  return (
    <div className="chat">
      <Welcome onPrompt={(text) => send({ text, mode: 'send', attachments: [] })} />
      {problem && (
        <p className="chat-problems" role="alert">
          {t('chat.outbox.failed')} {words({ code: problem.code })}
        </p>
      )}
      <Composer ref={composer} mode="idle" onSend={send} />
    </div>
  )
}
