import type { ExplainPart, FailureClass, NoticeFact, RunStatus } from '@capstan/protocol'
import { useFailureWords } from '../i18n/use-failure-words.ts'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useNoteWords } from '../i18n/use-note-words.ts'
import { useT } from '../i18n/use-t.ts'

type Answer = Parameters<ReturnType<typeof useT>>[0] & `approvals.answered.${string}`
type Field = 'tools' | 'system' | 'history'

const SECTIONS = {
  'section-asked': 'timeline.asked-to',
  'section-who': 'runs.facts',
  'section-happened': 'runs.waterfall.title',
  'section-cost': 'runs.columns.cost',
  'section-ending': 'runs.columns.status',
  'section-prefix': 'runs.prefix.title',
  'section-failures': 'runs.stats.failures',
} as const
const PLAIN = {
  continued: 'runs.continued',
  nothing: 'runs.explain.nothing',
  again: 'runs.explain.again',
  'call-not-run': 'runs.explain.call-not-run',
  unknown: 'failures.classes.interrupted.why',
  asking: 'timeline.status.asking',
  connecting: 'timeline.status.connecting',
  delivered: 'runs.explain.delivered',
  'next-turn': 'runs.explain.next-turn',
  refused: 'runs.explain.refused',
  'not-delivered': 'runs.explain.not-delivered',
  stale: 'timeline.note.stale',
  resumed: 'runs.explain.resumed',
  restarted: 'timeline.note.resume',
  cut: 'runs.explain.cut',
  'can-continue': 'runs.explain.can-continue',
  estimated: 'runs.tokens.estimated',
  'kept-all': 'runs.prefix.keptAll',
} as const
const NUMBERED = ['calls', 'not-run', 'begun', 'model-calls'] as const
const TIMED = { took: 'runs.waterfall.took', waited: 'runs.statuses.waiting' } as const

const isKeyOf = <Table extends object>(key: PropertyKey, table: Table): key is keyof Table => key in table
const isNumbered = (key: string): key is (typeof NUMBERED)[number] =>
  (NUMBERED as readonly string[]).includes(key)

/** What one part of a report says, in the active language. */
export function useExplainWords(): (part: ExplainPart) => string {
  const t = useT()
  const format = useFormatters()
  const failureWords = useFailureWords()
  const { noticeWords, nudgeWords } = useNoteWords()

  return ({ key, values = {}, failure }) => {
    const text = (name: string): string => String(values[name] ?? '')
    const number = (name: string): number => Number(values[name] ?? 0)
    if (isKeyOf(key, SECTIONS)) return t(SECTIONS[key])
    if (isKeyOf(key, PLAIN)) return t(PLAIN[key])
    if (isNumbered(key)) return t(`runs.explain.${key}`, { number: format.number(number('number')) })
    if (isKeyOf(key, TIMED)) return `${t(TIMED[key])}: ${format.duration(number('ms'))}`
    switch (key) {
      case 'text':
        return text('text')
      case 'agent':
      case 'of-which':
        return t(key === 'agent' ? 'runs.subAgent' : 'runs.explain.of-which', {
          agent: text('agent').replaceAll('_', ' '),
        })
      case 'at':
        return format.dateTime(number('at'))
      case 'so-far':
        return t('runs.waterfall.soFar', { duration: format.duration(number('ms')) })
      case 'after':
        return t('runs.explain.after', { duration: format.duration(number('ms')) })
      case 'steps':
        return t('runs.steps', { count: number('count') })
      case 'step':
        return t('timeline.iteration', { number: number('number') })
      case 'tokens':
        return [
          t('timeline.tokens-in', { tokens: format.number(number('input')) }),
          t('timeline.tokens-out', { tokens: format.number(number('output')) }),
        ].join(' · ')
      case 'said':
      case 'said-cut':
        return t(`runs.explain.${key}`, { text: text('text') })
      case 'message':
        return t('timeline.note.message', { text: text('text') })
      case 'answer':
        return t(answerKey(text('decision')))
      case 'failure': {
        if (!failure) return ''
        const { why, next } = failureWords(failure, text('of') === 'model' ? 'model' : 'call', 'given-up')
        return `${t('failures.why')}: ${why} ${t('failures.next')}: ${next}`
      }
      case 'retry':
        return t('timeline.note.retry', {
          why: failure ? failureWords(failure, 'model').why : '',
          time: format.duration(number('ms')),
        })
      case 'notice':
        return noticeWords(text('text'), factOf(values))
      case 'nudge':
        return nudgeWords(text('guard'), text('text'))
      case 'compaction':
        return t('timeline.note.compaction', {
          before: format.compact(number('before')),
          after: format.compact(number('after')),
        })
      case 'prefix':
        return t(`timeline.note.prefix-${text('field') as Field}`)
      case 'status':
        return t(`runs.statuses.${text('status') as RunStatus}`)
      case 'limit':
        return t('runs.explain.limit', { limit: toLimit(text('kind'), number('limit')) })
      case 'cost': {
        const cost = format.currency(number('charged') + number('estimated'))
        return number('estimated') > 0 ? t('timeline.about-cost', { cost }) : cost
      }
      case 'failure-class':
        return `${t(`failures.classes.${text('class') as FailureClass}.name`)} ×${format.number(number('number'))}`
      default:
        return '' // a newer server may say more
    }
  }

  function toLimit(kind: string, limit: number): string {
    if (kind === 'iterations') return t('runs.steps', { count: limit })
    if (kind === 'usd') return format.currency(limit)
    return kind === 'wall-clock'
      ? format.duration(limit)
      : `${format.number(limit)} ${t('runs.tokens.title')}`
  }
}

const answerKey = (decision: string): Answer =>
  `approvals.answered.${decision === 'withdrawn' ? 'gone' : decision}` as Answer

function factOf({ kind, name }: NonNullable<ExplainPart['values']>): NoticeFact | undefined {
  return kind === undefined ? undefined : { kind: kind as NoticeFact['kind'], name: String(name) }
}
