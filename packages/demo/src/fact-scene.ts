import { cutText } from '@capstan/harness/connectors'
import type { Scene } from './scene.ts'
import { matches, needs } from './scene.ts'
import { call, reasonOf } from './demo-turn.ts'

const REMEMBER = 'remember'
const WISH = /^\s*(?:please,?\s+)?remember(?:\s+that)?[\s:,]+(\S[\s\S]*)$/i
const MAX_CHARS = 200

/** Proposes the rest of the sentence as a fact: "Remember that I prefer short answers". */
export const FACT: Scene = {
  offer: {
    prompt: 'Remember that I prefer short answers',
    shows: 'proposes a fact about you, which counts once you accept it',
  },
  isPossible: needs(REMEMBER),
  fits: matches(WISH),
  next({ words, last }) {
    if (!last) return { text: '', calls: [call(REMEMBER, { fact: toFact(words) })] }
    if (!last.ok) return { text: `Nothing was proposed. ${reasonOf(last.text)}` }
    return {
      text: 'It is proposed. It counts when you accept it: here, or on the Memory page under About you.',
    }
  },
}

/** The same wish in the words of a fact about the user. */
function toFact(words: string): string {
  const text = cutText((WISH.exec(words)?.[1] ?? words).trim(), MAX_CHARS)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
