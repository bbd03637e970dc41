import { useRef, useState } from 'react'
import { useSettings } from '../../settings/settings-context.tsx'
import { useSocket } from '../../socket/server-context.tsx'
import type { Attachment, AttachProblem } from './attachments.ts'
import { attach } from './attachments.ts'
import { keepDraft, keepDraftFiles, readDraft, readDraftFiles } from './draft.ts'

/** The message that is being written, with its files. It outlives the page. */
export interface Draft {
  readonly text: string
  readonly attachments: readonly Attachment[]
  /** Why files were left out the last time some were added. */
  readonly problems: readonly AttachProblem[]
  readonly setText: (text: string) => void
  readonly setFiles: (attachments: readonly Attachment[]) => void
  readonly addFiles: (files: readonly File[]) => Promise<void>
  readonly dismissProblems: () => void
  readonly clear: () => void
}

/** How often the server is notified that the person types. */
const TYPING_EVERY_MS = 20_000

export function useDraft(threadId: string | undefined): Draft {
  const socket = useSocket()
  const reads = useSettings().settings?.modelInUse.reads
  const typedAt = useRef(0)
  const [text, showText] = useState(() => readDraft(threadId))
  const [attachments, showFiles] = useState(() => readDraftFiles(threadId))
  const [problems, setProblems] = useState<readonly AttachProblem[]>([])

  function setText(next: string): void {
    showText(next)
    keepDraft(threadId, next)
    if (Date.now() - typedAt.current < TYPING_EVERY_MS || next === '') return
    typedAt.current = Date.now()
    socket.startTyping()
  }

  function setFiles(next: readonly Attachment[]): void {
    showFiles(next)
    keepDraftFiles(threadId, next)
  }

  async function addFiles(files: readonly File[]): Promise<void> {
    if (files.length === 0) return
    const { added, problems: found } = await attach(files, attachments, { reads })
    setFiles([...readDraftFiles(threadId), ...added])
    setProblems(found)
  }

  function clear(): void {
    setText('')
    setFiles([])
    setProblems([])
  }

  return {
    text,
    attachments,
    problems,
    setText,
    setFiles,
    addFiles,
    dismissProblems: () => setProblems([]),
    clear,
  }
}
