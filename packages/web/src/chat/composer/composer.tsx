import { ArrowUp, ListPlus, Paperclip, Square, X } from 'lucide-react'
import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { ClipboardEvent, DragEvent, KeyboardEvent, ReactElement, Ref } from 'react'
import type { MessageMode } from '@capstan/protocol'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { useSocket } from '../../socket/server-context.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import type { Attachment, AttachProblem } from './attachments.ts'
import { attach } from './attachments.ts'
import { AttachmentChip } from './attachment-chip.tsx'
import { keepDraft, keepDraftFiles, readDraft, readDraftFiles } from './draft.ts'

/** What a message is to the thread now. */
export type ComposerMode =
  | 'idle'
  | 'running'
  /** A turn waits for an answer elsewhere; whoever writes something else has moved on. */
  | 'waiting'
  | 'question'

export interface ComposerProps {
  readonly threadId?: string
  readonly mode: ComposerMode
  /** Takes the message; from here on it is not the composer's to lose. */
  readonly onSend: (message: {
    readonly text: string
    readonly mode: MessageMode
    readonly attachments: readonly Attachment[]
  }) => void
  readonly onStop?: () => void
  readonly isStopping?: boolean
  readonly ref?: Ref<ComposerHandle>
}

export interface ComposerHandle {
  /** Puts a text in front of what is there. */
  write(text: string, attachments?: readonly Attachment[]): void
  focus(): void
}

/** How often the server is told that somebody writes. */
const TYPING_EVERY_MS = 20_000

export function Composer(props: ComposerProps): ReactElement {
  const { threadId, mode, onSend, onStop, isStopping = false, ref } = props
  const t = useT()
  const socket = useSocket()
  const box = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const typedAt = useRef(0)
  const [text, setText] = useState(() => readDraft(threadId))
  const [attachments, setAttachments] = useState(() => readDraftFiles(threadId))
  const [problems, setProblems] = useState<readonly AttachProblem[]>([])
  const [isDragged, setDragged] = useState(false)
  const isRunning = mode === 'running'
  const mayStop = isRunning || mode === 'waiting'
  const hasFiles = attachments.length > 0
  const isEmpty = text.trim() === '' && !hasFiles
  // A turn that is running hears words alone.
  const isHeld = isRunning && hasFiles

  useImperativeHandle(ref, () => ({
    write(words, given = []) {
      change(text.trim() === '' ? words : `${words}\n\n${text}`)
      if (given.length > 0) changeFiles([...given, ...attachments])
      box.current?.focus()
    },
    focus: () => box.current?.focus(),
  }))

  // Whoever has a keyboard begins to write; on a phone it would cover half of the page.
  useEffect(() => {
    const isFree = document.activeElement === document.body || document.activeElement?.id === 'main'
    if (isFree && window.matchMedia?.('(pointer: fine)').matches) box.current?.focus({ preventScroll: true })
  }, [])

  useEffect(() => {
    const element = box.current
    if (!element) return
    element.style.blockSize = 'auto'
    element.style.blockSize = `${element.scrollHeight}px`
  }, [text])

  function change(next: string): void {
    setText(next)
    keepDraft(threadId, next)
    if (Date.now() - typedAt.current < TYPING_EVERY_MS || next === '') return
    typedAt.current = Date.now()
    socket.startTyping()
  }

  function changeFiles(next: readonly Attachment[]): void {
    setAttachments(next)
    keepDraftFiles(threadId, next)
  }

  async function add(files: readonly File[]): Promise<void> {
    if (files.length === 0) return
    const { added, problems: found } = await attach(files, attachments)
    changeFiles([...readDraftFiles(threadId), ...added])
    setProblems(found)
  }

  function send(how: MessageMode): void {
    if (isEmpty || isHeld) return
    onSend({ text: text.trim(), mode: how, attachments })
    change('')
    changeFiles([])
    setProblems([])
  }

  const sendNow = (): void => send(isRunning ? 'steer' : 'send')

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // Enter that chooses a word in an input method is not for us; some browsers say so only by this code.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape' && mayStop) {
      event.preventDefault()
      onStop?.()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (isRunning && (event.ctrlKey || event.metaKey)) send('follow-up')
    else sendNow()
  }

  function onPaste(event: ClipboardEvent): void {
    const { files, types } = event.clipboardData
    // A table copied from a sheet comes as a picture, too: its words are what was meant.
    if (files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    void add([...files])
  }

  function onDrop(event: DragEvent): void {
    setDragged(false)
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    void add([...event.dataTransfer.files])
  }

  return (
    <form
      className="chat-composer"
      data-dragged={isDragged || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        sendNow()
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setDragged(true)
      }}
      onDragLeave={() => setDragged(false)}
      onDrop={onDrop}
    >
      {isDragged && <p className="chat-drop">{t('chat.composer.drop')}</p>}
      {hasFiles && (
        <ul className="chat-attachments" role="list" aria-label={t('chat.composer.attachments')}>
          {attachments.map((attachment) => (
            <AttachmentChip
              key={attachment.id}
              attachment={attachment}
              onRemove={() => changeFiles(attachments.filter((other) => other !== attachment))}
            />
          ))}
        </ul>
      )}
      <Problems problems={problems} isHeld={isHeld} onDismiss={() => setProblems([])} />
      <div className="chat-composer-row">
        <IconButton label={t('chat.composer.attach')} onClick={() => picker.current?.click()}>
          <Paperclip aria-hidden="true" />
        </IconButton>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            void add([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label={t('chat.composer.label')}
          placeholder={t(PLACEHOLDERS[mode])}
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {isRunning && !isEmpty && (
          <IconButton
            label={`${t('chat.composer.follow-up')}. ${t('chat.composer.follow-up-about')}`}
            disabled={isHeld}
            onClick={() => send('follow-up')}
          >
            <ListPlus aria-hidden="true" />
          </IconButton>
        )}
        {mayStop && isEmpty ? (
          <IconButton
            label={isStopping ? t('chat.composer.stopping') : t('chat.composer.stop')}
            className="chat-stop"
            aria-busy={isStopping || undefined}
            onClick={onStop}
          >
            <Square aria-hidden="true" />
          </IconButton>
        ) : (
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
      </div>
      <p className="chat-keys">{t(KEYS[mode])}</p>
    </form>
  )
}

const PLACEHOLDERS = {
  idle: 'chat.composer.placeholder',
  running: 'chat.composer.placeholder-running',
  waiting: 'chat.composer.placeholder-waiting',
  question: 'chat.composer.placeholder-question',
} as const

const KEYS = {
  idle: 'chat.composer.keys',
  running: 'chat.composer.keys-running',
  waiting: 'chat.composer.keys-waiting',
  question: 'chat.composer.keys',
} as const

function Problems({
  problems,
  isHeld,
  onDismiss,
}: {
  readonly problems: readonly AttachProblem[]
  readonly isHeld: boolean
  readonly onDismiss: () => void
}): ReactElement | null {
  const t = useT()
  const words = useAttachWords()
  if (problems.length === 0 && !isHeld) return null
  return (
    <div className="chat-problems" role="alert">
      <div>
        {isHeld && <p>{t('chat.attach.not-now')}</p>}
        {problems.map((problem) => (
          <p key={`${problem.type}:${problem.name}`}>{words(problem)}</p>
        ))}
      </div>
      {problems.length > 0 && (
        <IconButton label={t('ui.dismiss')} size="sm" onClick={onDismiss}>
          <X aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}

function useAttachWords(): (problem: AttachProblem) => string {
  const t = useT()
  const format = useFormatters()
  return (problem) => {
    const { name } = problem
    switch (problem.type) {
      case 'too-large':
      case 'together':
        return t(`chat.attach.${problem.type}`, { name, limit: format.bytes(problem.limit) })
      case 'too-many-images':
      case 'too-many-files':
        return t(`chat.attach.${problem.type}`, { name, count: problem.count })
      case 'empty':
      case 'unreadable':
        return t(`chat.attach.${problem.type}`, { name })
    }
  }
}
