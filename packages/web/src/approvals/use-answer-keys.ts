import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { emptyField, textFieldOf } from '../ui/keyboard/text-field.ts'
import type { Decision } from './approval-buttons.tsx'

export const ANSWER_KEYS: Readonly<Record<Decision, string>> = {
  'allow-once': 'a',
  'allow-thread': 'c',
  'allow-hour': 'h',
  'allow-always': 'shift+a',
  deny: 'd',
}

const DECISIONS: Readonly<Record<string, Decision>> = {
  a: 'allow-once',
  c: 'allow-thread',
  h: 'allow-hour',
  A: 'allow-always',
  d: 'deny',
  D: 'deny',
}

/** How long a key outside of the card must stand alone: the first letter of a word is no answer. */
const ALONE_MS = 600

/**
 * Answers by one key: at once with the focus in the card; from elsewhere when the key stands alone, and not in a field
 * with text. The first card on the page has the keys. Returns the answer that is about to be given.
 */
export function useAnswerKeys(
  card: RefObject<HTMLElement | null>,
  answers: readonly Decision[],
  onAnswer: (decision: Decision) => void,
): Decision | undefined {
  const [pressed, setPressed] = useState<Decision>()
  const newest = useRef({ answers, onAnswer })
  useEffect(() => {
    newest.current = { answers, onAnswer }
  })

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let lastAt = -Infinity

    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Shift') return
      clearTimeout(timer)
      setPressed(undefined)
      const isAlone = event.timeStamp - lastAt >= ALONE_MS
      lastAt = event.timeStamp
      if (event.defaultPrevented || event.repeat || event.isComposing) return
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
      const decision = DECISIONS[event.key]
      if (!decision || !newest.current.answers.includes(decision)) return
      if (isInside(card.current, event.target)) {
        event.preventDefault()
        return newest.current.onAnswer(decision)
      }
      if (!isAlone || !hasKeys(card.current, event.target) || textFieldOf(event.target)?.value) return
      setPressed(decision)
      timer = setTimeout(() => {
        setPressed(undefined)
        const field = textFieldOf(document.activeElement)
        // More was written, or the letter was sent.
        if (field && field.value !== event.key) return
        if (field) emptyField(field)
        newest.current.onAnswer(decision)
      }, ALONE_MS)
    }

    document.addEventListener('keydown', press)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', press)
    }
  }, [card])
  return pressed
}

const isInside = (card: HTMLElement | null, target: EventTarget | null): boolean =>
  card !== null && target instanceof Node && card.contains(target)

/** Whether the card is the first on the page, and no other one has the focus. */
const hasKeys = (card: HTMLElement | null, target: EventTarget | null): boolean =>
  document.querySelector('[data-approval]') === card &&
  !(target instanceof Element && target.closest('[data-approval]'))
