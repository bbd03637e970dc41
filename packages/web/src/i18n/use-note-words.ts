import { agentName } from '@capstan/client'
import type { NoticeFact } from '@capstan/protocol'
import { useT } from './use-t.ts'

/** Guards that remind the model of a repetition. */
const REPEATS: ReadonlySet<string> = new Set([
  'identical-failing-call',
  'identical-refused-call',
  'identical-batch',
  'identical-output',
  'identical-reply',
  'going-in-circles',
  'ping-pong',
])

/** What a notice or a reminder to the model says to people. What a part of one's own wrote is shown as it is. */
export function useNoteWords(): {
  readonly noticeWords: (text: string, fact: NoticeFact | undefined) => string
  readonly nudgeWords: (guard: string, text: string) => string
} {
  const t = useT()
  return {
    noticeWords(text, fact) {
      if (fact === undefined) return text
      const { kind, name } = fact
      if (kind === 'agent-ended') return t('timeline.note.agent-ended', { name: agentName({ agent: name }) })
      if (kind === 'app-connected') return t('timeline.note.app-ready', { name })
      return kind === 'app-disconnected'
        ? t('timeline.note.app-gone', { name })
        : t(`timeline.note.${kind}`, { name })
    },
    nudgeWords(guard, text) {
      if (REPEATS.has(guard)) return t('timeline.note.nudge-repeats')
      return guard === 'consecutive-failures'
        ? t('timeline.note.nudge-failures')
        : t('timeline.note.nudge', { text })
    },
  }
}
