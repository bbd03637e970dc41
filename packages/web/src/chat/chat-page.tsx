import './chat.css'
import './markdown/markdown.css'
import './composer/composer.css'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useConnectionState } from '../socket/server-context.tsx'
import { parseCallParam, ThreadScopeContext } from '../state/thread-scope.ts'
import type { ThreadScope } from '../state/thread-scope.ts'
import type { Outbox, OutboxItem } from '../state/outbox.ts'
import type { Call, Turn } from '@capstan/client'
import { holdTurn, openAsksOf, rootOf, statusOf } from '@capstan/client'
import { useHeldState } from '../state/use-held-state.ts'
import { useThread, useThreadStore } from '../state/use-thread.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { useShortcut } from '../ui/keyboard/shortcuts.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { Announcer } from './announcer.tsx'
import { Composer } from './composer/composer.tsx'
import type { ComposerHandle, ComposerMode, ComposerProps } from './composer/composer.tsx'
import { MessageList } from './message-list.tsx'
import { NewChat } from './new-chat.tsx'
import { useAskAgain } from './use-ask-again.ts'
import { useQueueMode } from './use-queue-mode.ts'
import { useStop } from './use-stop.ts'
import { Welcome } from './welcome.tsx'

export interface ChatPageProps {
  readonly threadId?: string | undefined
  readonly runId?: string | undefined
  readonly callId?: string | undefined
}

/** A conversation, or a new one. */
export function ChatPage({ threadId, runId, callId }: ChatPageProps): ReactElement {
  if (threadId === undefined) return <NewChat />
  return <ThreadChat key={threadId} threadId={threadId} runId={runId} callId={callId} />
}

function ThreadChat({
  threadId,
  runId,
  callId,
}: ChatPageProps & { readonly threadId: string }): ReactElement {
  const t = useT()
  const store = useThreadStore(threadId)
  const { state: recorded, phase, outbox: items } = useThread(threadId)
  const held = useHeldState(threadId)
  const state = useMemo(() => holdTurn(recorded, held), [recorded, held])
  const { outbox } = store
  const composer = useRef<ComposerHandle>(null)
  const opened = useRef(new Map<string, boolean>())
  const last = state.turns.at(-1)
  const isRunning = last !== undefined && statusOf(last) !== 'ended'
  const isBusy = isRunning || items.some(({ status }) => status === 'sending' || status === 'retrying')
  const { stop, isStopping } = useStop(threadId, last)
  const [queueMode, setQueueMode] = useQueueMode(threadId)

  const send = useCallback<ComposerProps['onSend']>(
    ({ text, mode, attachments }) => {
      const files = attachments.map(({ name, mediaType, data }) => ({ name, mediaType, data }))
      outbox.send({ text, mode, attachments: files }, store.snapshot().state.lastSeq)
    },
    [outbox, store],
  )
  const answer = useCallback((text: string) => send({ text, mode: 'send', attachments: [] }), [send])

  const askAgain = useAskAgain(threadId, store)

  const target = useMemo(() => (callId === undefined ? undefined : parseCallParam(callId)), [callId])
  const scope = useMemo<ThreadScope>(
    () => ({
      threadId,
      opened: opened.current,
      ...(target ? { target } : undefined),
      ...(isBusy ? undefined : { askAgain }),
    }),
    [threadId, target, isBusy, askAgain],
  )

  useRetryWhenOnline(outbox)
  useShortcut('Escape', t('chat.composer.stop'), isRunning ? stop : undefined)
  useShortcut('/', t('chat.composer.label'), () => composer.current?.focus())

  function edit(item: OutboxItem): void {
    const taken = outbox.remove(item.messageId)
    if (!taken) return
    const files = taken.attachments.map((file, index) => ({
      ...file,
      id: `${taken.messageId}:${index}`,
      bytes: Math.floor((file.data.length * 3) / 4),
    }))
    composer.current?.write(taken.text, files)
  }

  if (phase === 'unknown') return <EmptyState title={t('chat.unknown')} />
  if (phase === 'failed' && state.turns.length === 0)
    return (
      <ErrorState onRetry={store.reload}>
        <p>{t('chat.load-failed')}</p>
      </ErrorState>
    )

  const isEmpty = state.turns.length === 0 && items.length === 0
  return (
    <ThreadScopeContext value={scope}>
      <div className="chat">
        <h1 className="ui-visually-hidden">{t('chat.title')}</h1>
        {phase === 'loading' && isEmpty ? (
          <div className="chat-loading">
            <Skeleton lines={8} />
          </div>
        ) : isEmpty ? (
          <Welcome onPrompt={answer} />
        ) : (
          <MessageList
            state={state}
            items={items}
            outbox={outbox}
            onEdit={edit}
            onAnswer={answer}
            {...(target ? { target } : undefined)}
            {...(runId === undefined ? undefined : { runId })}
          />
        )}
        <Announcer turn={last} />
        <Composer
          ref={composer}
          threadId={threadId}
          mode={modeOf(last)}
          queueMode={queueMode}
          onQueueMode={setQueueMode}
          onSend={send}
          onStop={stop}
          isStopping={isStopping}
        />
      </div>
    </ThreadScopeContext>
  )
}

/** Sends messages again that no server answered, as soon as the connection is back. */
function useRetryWhenOnline(outbox: Outbox): void {
  const connection = useConnectionState()
  useEffect(() => {
    if (connection !== 'online') return
    for (const { messageId, status, problem } of outbox.items)
      if (status === 'failed' && problem?.code === 'unreachable') outbox.retry(messageId)
  }, [connection, outbox])
}

function modeOf(turn: Turn | undefined): ComposerMode {
  if (!turn) return 'idle'
  const status = statusOf(turn)
  if (status === 'waiting' && takesWords(openAsksOf(turn))) return 'approval'
  if (status !== 'ended') return status
  return rootOf(turn).outcome?.type === 'needs-input' ? 'question' : 'idle'
}

/** Whether a yes or a no in words answers: as the server decides it, only one plain question. */
function takesWords([asked, ...others]: readonly Call[]): boolean {
  const { effect, hidden = [] } = asked?.approval ?? {}
  return others.length === 0 && (effect === 'read' || effect === 'write') && hidden.length === 0
}
