import { ArrowUp, ListPlus, Square } from 'lucide-react'
import type { QueueMode } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import type { ComposerMode } from './composer.tsx'

export interface SendButtonsProps {
  readonly mode: ComposerMode
  readonly isEmpty: boolean
  /** The message cannot be sent now. */
  readonly isHeld: boolean
  readonly isStopping: boolean
  readonly queueMode: QueueMode
  readonly onQueue: () => void
  readonly onStop: (() => void) | undefined
}

/** Whether there is a turn that can be stopped. */
export const mayStopIn = (mode: ComposerMode): boolean => mode !== 'idle' && mode !== 'question'

/** Send or steer, follow up, or stop: what the composer offers for the text and the turn of now. */
export function SendButtons(props: SendButtonsProps): ReactElement {
  const { mode, isEmpty, isHeld, isStopping, queueMode, onQueue, onStop } = props
  const t = useT()
  const isRunning = mode === 'running'
  const mayStop = mayStopIn(mode)
  return (
    <>
      {isRunning && !isEmpty && (
        <IconButton
          label={QUEUE_WORDS[queueMode].map((key) => t(key)).join(' ')}
          disabled={isHeld}
          onClick={onQueue}
        >
          <ListPlus aria-hidden="true" />
        </IconButton>
      )}
      {mayStop && (
        <IconButton
          label={isStopping ? t('chat.composer.stopping') : t('chat.composer.stop')}
          className="chat-stop"
          aria-busy={isStopping || undefined}
          onClick={onStop}
        >
          <Square aria-hidden="true" />
        </IconButton>
      )}
      {!(mayStop && isEmpty) && (
        <IconButton
          type="submit"
          label={
            isRunning
              ? `${t('chat.composer.steer')}. ${t('chat.composer.steer-about')}`
              : t(mode === 'question' ? 'chat.composer.answer' : 'chat.composer.send')
          }
          className="chat-send"
          disabled={isEmpty || isHeld}
        >
          <ArrowUp aria-hidden="true" />
        </IconButton>
      )}
    </>
  )
}

/** What the second button does, and what becomes of the message. */
const QUEUE_WORDS = {
  'one-by-one': ['chat.queue.after', 'chat.composer.follow-up-about'],
  collect: ['chat.queue.after', 'chat.queue.collect-about'],
  interrupt: ['chat.queue.now', 'chat.queue.interrupt-about'],
} as const
