import { useEffect, useState } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'

export interface TimeProps {
  /** Milliseconds since 1970. */
  readonly at: number
  /** `relative` ("5 minutes ago") updates itself. */
  readonly form?: 'relative' | 'time' | 'date' | 'date-time'
}

/** A point in time, with the exact time as a title. */
export function Time({ at, form = 'relative' }: TimeProps): ReactElement {
  const format = useFormatters()
  const now = useNow(
    form === 'relative' ? (Math.abs(Date.now() - at) < 3_600_000 ? 30_000 : 600_000) : undefined,
  )
  const text =
    form === 'relative'
      ? format.relative(at, now)
      : form === 'time'
        ? format.time(at)
        : form === 'date'
          ? format.date(at)
          : format.dateTime(at)
  return (
    <time className="ui-figures" dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {text}
    </time>
  )
}

/** The current time, updated every `everyMs`; without it, read once. */
export function useNow(everyMs: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
