import { useImperativeHandle, useRef, useState } from 'react'
import type { DragEvent, KeyboardEvent, ReactElement, Ref } from 'react'
import type { MessageMode, QueueMode } from '@capstan/protocol'
import { useT } from '../../i18n/use-t.ts'
import { useTypingField } from '../../ui/keyboard/shortcuts.tsx'
import { AttachProblems } from './attach-problems.tsx'
import { AttachmentChip } from './attachment-chip.tsx'
import type { Attachment } from './attachments.ts'
import { AttachButton, MessageBox } from './message-box.tsx'
import { QueueSelect } from './queue-select.tsx'
import { mayStopIn, SendButtons } from './send-buttons.tsx'
import { useDraft } from './use-draft.ts'

/** What the thread does with a message that is sent now. */
export type ComposerMode =
  | 'idle'
  | 'running'
  /** A turn waits for an answer elsewhere; a new message moves on from it. */
  | 'waiting'
  /** A turn waits for an approval that a word can give. */
  | 'approval'
  /** The turn goes on when everything is released. */
  | 'held'
  | 'question'

export interface ComposerProps {
  readonly threadId?: string
  readonly mode: ComposerMode
  /** Takes over the message; the composer forgets it. */
  readonly onSend: (message: {
    readonly text: string
    readonly mode: MessageMode
    readonly attachments: readonly Attachment[]
  }) => void
  /** What a message does that is sent for after the running turn. Default `one-by-one`. */
  readonly queueMode?: QueueMode
  readonly onQueueMode?: ((mode: QueueMode) => void) | undefined
  readonly onStop?: () => void
  readonly isStopping?: boolean
  readonly ref?: Ref<ComposerHandle>
}

export interface ComposerHandle {
  /** Puts a text in front of the draft. */
  write(text: string, attachments?: readonly Attachment[]): void
  focus(): void
}

/** Where a message is written and sent, and a running turn is stopped. */
export function Composer(props: ComposerProps): ReactElement {
  const { threadId, mode, onSend, onStop, isStopping = false, queueMode = 'one-by-one', ref } = props
  const t = useT()
  const box = useRef<HTMLTextAreaElement>(null)
  const draft = useDraft(threadId)
  const { text, attachments } = draft
  const isRunning = mode === 'running'
  const mayStop = mayStopIn(mode)
  const hasFiles = attachments.length > 0
  const isEmpty = text.trim() === '' && !hasFiles
  // A running turn takes text only.
  const isHeld = isRunning && hasFiles
  const addFiles = (files: readonly File[]): void => void draft.addFiles(files)
  const drop = useFileDrop(addFiles)
  useTypingField(() => box.current?.focus())

  useImperativeHandle(ref, () => ({
    write(words, given = []) {
      draft.setText(text.trim() === '' ? words : `${words}\n\n${text}`)
      if (given.length > 0) draft.setFiles([...given, ...attachments])
      box.current?.focus()
    },
    focus: () => box.current?.focus(),
  }))

  function send(how: MessageMode): void {
    if (isEmpty || isHeld) return
    onSend({ text: text.trim(), mode: how, attachments })
    draft.clear()
  }

  const sendNow = (): void => send(isRunning ? 'steer' : 'send')

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // Enter that chooses a word in an input method is not for us; some browsers show that only by this code.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape' && mayStop) {
      event.preventDefault()
      onStop?.()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (isRunning && (event.ctrlKey || event.metaKey)) send('queue')
    else sendNow()
  }

  return (
    <form
      className="chat-composer"
      data-dragged={drop.isDragged || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        sendNow()
      }}
      {...drop.handlers}
    >
      {drop.isDragged && <p className="chat-drop">{t('chat.composer.drop')}</p>}
      {hasFiles && (
        <ul className="chat-attachments" role="list" aria-label={t('chat.composer.attachments')}>
          {attachments.map((attachment) => (
            <AttachmentChip
              key={attachment.id}
              attachment={attachment}
              onRemove={() => draft.setFiles(attachments.filter((other) => other !== attachment))}
            />
          ))}
        </ul>
      )}
      <AttachProblems problems={draft.problems} isHeld={isHeld} onDismiss={draft.dismissProblems} />
      <div className="chat-composer-row">
        <AttachButton onFiles={addFiles} />
        <MessageBox
          box={box}
          text={text}
          placeholder={t(PLACEHOLDERS[mode])}
          onText={draft.setText}
          onFiles={addFiles}
          onKeyDown={onKeyDown}
        />
        <SendButtons
          mode={mode}
          isEmpty={isEmpty}
          isHeld={isHeld}
          isStopping={isStopping}
          queueMode={queueMode}
          onQueue={() => send('queue')}
          onStop={onStop}
        />
      </div>
      <div className="chat-foot">
        <p className="chat-keys">{t(KEYS[mode])}</p>
        {isRunning && props.onQueueMode && (
          <QueueSelect hideLabel value={queueMode} onValueChange={props.onQueueMode} />
        )}
      </div>
    </form>
  )
}

/** Takes files that are dragged onto an element. */
function useFileDrop(onFiles: (files: readonly File[]) => void) {
  const [isDragged, setDragged] = useState(false)
  return {
    isDragged,
    handlers: {
      onDragOver(event: DragEvent): void {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setDragged(true)
      },
      onDragLeave: (): void => setDragged(false),
      onDrop(event: DragEvent): void {
        setDragged(false)
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}

const PLACEHOLDERS = {
  idle: 'chat.composer.placeholder',
  running: 'chat.composer.placeholder-running',
  waiting: 'chat.composer.placeholder-waiting',
  approval: 'chat.composer.placeholder-approval',
  held: 'shell.hold.hint',
  question: 'chat.composer.placeholder-question',
} as const

const KEYS = {
  idle: 'chat.composer.keys',
  running: 'chat.composer.keys-running',
  waiting: 'chat.composer.keys-waiting',
  approval: 'chat.composer.keys-approval',
  held: 'chat.composer.keys-waiting',
  question: 'chat.composer.keys',
} as const
