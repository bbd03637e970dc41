import { createContext, use, useCallback, useEffect, useRef, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'

export interface Shortcut {
  /** `mod+k`, `?`, or two keys one after the other: `g c`. */
  readonly keys: string
  /** What it does, for the help sheet. */
  readonly label: string
  /** Absent: the focused component handles the key; the shortcut is only listed. */
  readonly run?: () => void
}

type AddShortcut = (shortcut: Shortcut) => () => void

// Two contexts, so that a new shortcut draws only the list of shortcuts again.
const ListContext = createContext<readonly Shortcut[]>([])
const AddContext = createContext<AddShortcut>(() => () => undefined)
/** The field that takes what is typed while nothing has the focus. */
const TypingContext = createContext<{ focus?: () => void }>({})

/** The active shortcuts, for the help sheet. */
export function useShortcutList(): readonly Shortcut[] {
  return use(ListContext)
}

/** Registers a shortcut while the component is mounted. */
export function useShortcut(keys: string, label: string, run?: () => void): void {
  const add = use(AddContext)
  const newest = useRef(run)
  useEffect(() => {
    newest.current = run
  })
  const isListedOnly = run === undefined
  useEffect(
    () => add({ keys, label, ...(isListedOnly ? {} : { run: () => newest.current?.() }) }),
    [add, keys, label, isListedOnly],
  )
}

/** While the component is mounted, letters typed with nothing focused go to its field: they are no shortcuts. */
export function useTypingField(focus: () => void): void {
  const typing = use(TypingContext)
  useEffect(() => {
    typing.focus = focus
    return () => {
      if (typing.focus === focus) delete typing.focus
    }
  })
}

/** How long the second key of a sequence may take. */
const SEQUENCE_MS = 1200

export function ShortcutProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [list, setList] = useState<readonly Shortcut[]>([])
  const current = useRef(list)
  const [typing] = useState<{ focus?: () => void }>({})
  useEffect(() => {
    current.current = list
  }, [list])

  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | undefined
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const chord = toChord(event)
      const isPlain = !event.ctrlKey && !event.metaKey
      // A plain key types a letter in a text field, and belongs to an open dialog.
      if (isPlain && (isTyping(event.target) || document.querySelector('dialog[open]'))) return
      // The browser writes the letter into whatever has the focus after this.
      if (isPlain && typing.focus && isWord(event.key) && isIdle(event.target)) return typing.focus()
      const pair = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${chord}` : undefined
      const found = current.current.findLast(({ keys, run }) => run && (keys === pair || keys === chord))
      first = isPlain && !found ? { key: chord, at: event.timeStamp } : undefined
      if (!found) return
      event.preventDefault()
      found.run?.()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [typing])

  const add = useCallback<AddShortcut>((shortcut) => {
    setList((before) => [...before, shortcut])
    return () => setList((before) => before.filter((other) => other !== shortcut))
  }, [])
  return (
    <AddContext value={add}>
      <TypingContext value={typing}>
        <ListContext value={list}>{children}</ListContext>
      </TypingContext>
    </AddContext>
  )
}

function toChord(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const isMod = event.ctrlKey || event.metaKey
  // A character such as `?` needs Shift on some keyboards and not on others.
  const isShift = event.shiftKey && (isMod || event.key.length > 1)
  return `${isMod ? 'mod+' : ''}${isShift ? 'shift+' : ''}${key}`
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"], [role="menu"] *'))
  )
}

/** Whether a key begins a word. */
const isWord = (key: string): boolean => /^[\p{L}\p{N}]$/u.test(key)

/** Whether no control has the focus. */
const isIdle = (target: EventTarget | null): boolean =>
  target instanceof Element && !target.closest('a, button, summary, [role="treeitem"], [role="menu"]')
