import type { Attachment } from './attachments.ts'

// The text of a draft outlives the page; its files live as long as the page.

const name = (threadId: string | undefined): string => `capstan.draft.${threadId ?? 'new'}`
const files = new Map<string, readonly Attachment[]>()

export function readDraft(threadId: string | undefined): string {
  try {
    return localStorage.getItem(name(threadId)) ?? ''
  } catch {
    return ''
  }
}

/** Storage may be full or disabled: then only the page keeps the draft. */
export function keepDraft(threadId: string | undefined, text: string): void {
  try {
    if (text === '') localStorage.removeItem(name(threadId))
    else localStorage.setItem(name(threadId), text)
  } catch {
    return
  }
}

export const readDraftFiles = (threadId: string | undefined): readonly Attachment[] =>
  files.get(name(threadId)) ?? []

export function keepDraftFiles(threadId: string | undefined, attachments: readonly Attachment[]): void {
  if (attachments.length === 0) files.delete(name(threadId))
  else files.set(name(threadId), attachments)
}
