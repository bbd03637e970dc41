import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'

/** A point in time as the clocks of a zone show it, with the zone unless it is the one of the reader. */
export function ZoneTime({ at, zone }: { readonly at: number; readonly zone: string }): ReactElement {
  const format = useFormatters()
  const isForeign = zone !== browserZone()
  return (
    <time className="ui-figures" dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {format.inZone(at, zone)}
      {isForeign && ' '}
      {isForeign && <bdi className="schedules-zone">{zone}</bdi>}
    </time>
  )
}

/** The time zone of the browser. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
