import { useFormatters } from '../../../i18n/use-formatters.ts'
import { useT } from '../../../i18n/use-t.ts'
import type { PatternDays, WeekDay, WhenPattern } from './when-pattern.ts'
import { isWorkWeek, readPattern } from './when-pattern.ts'

/** Says a cron line in the language of the reader. One that has no words is shown as it is. */
export function useWhenWords(): (cron: string) => string {
  const t = useT()
  const format = useFormatters()
  const sayPace = usePaceWords()
  const toDays = (days: readonly WeekDay[]): string => format.list(days.map((day) => format.weekday(day)))

  function sayTimes({ on, times: all }: Extract<WhenPattern, { type: 'times' }>): string {
    const times = format.list(all.map(({ hour, minute }) => format.clock(hour, minute)))
    if (on.type === 'every') return t('schedules.when.daily', { times })
    if (on.type === 'week')
      return isWorkWeek(on.days)
        ? t('schedules.when.weekdays', { times })
        : t('schedules.when.weekly', { days: toDays(on.days), times })
    if (on.type === 'month')
      return on.day === 'last'
        ? t('schedules.when.monthEnd', { times })
        : t('schedules.when.monthDay', { day: on.day, times })
    const nth = t(`schedules.when.nths.${on.nth as 1}`)
    return t('schedules.when.nth', { nth, day: format.weekday(on.day), times })
  }

  function sayEvery({ on, minutes, window }: Extract<WhenPattern, { type: 'pace' }>): string | undefined {
    const pace = sayPace(minutes)
    const limited = window
      ? t('schedules.when.between', {
          pace,
          from: format.clock(window.from, 0),
          to: format.clock(window.to, 0),
        })
      : pace
    if (on.type === 'every') return limited
    return isWeek(on) ? t('schedules.when.only', { pace: limited, days: toDays(on.days) }) : undefined
  }

  return (cron) => {
    const pattern = readPattern(cron)
    const words = pattern && (pattern.type === 'times' ? sayTimes(pattern) : sayEvery(pattern))
    return words ?? t('schedules.when.cron', { cron })
  }
}

/** "Every 2 hours": of a number of minutes. */
export function usePaceWords(): (minutes: number) => string {
  const t = useT()
  return (minutes) => {
    if (minutes === 60) return t('schedules.when.hourly')
    if (minutes % 60 === 0) return t('schedules.when.hours', { count: minutes / 60 })
    return t('schedules.when.minutes', { count: minutes })
  }
}

const isWeek = (on: PatternDays): on is Extract<PatternDays, { type: 'week' }> => on.type === 'week'
