import { diag } from '@opentelemetry/api'
import type { TurnObserver } from '../seams/seams.ts'

type Callback = (...given: readonly unknown[]) => void

/** The same callbacks, whose errors never end a turn. For observers that a turn does not depend on. */
export function calmObserver(observer: TurnObserver): TurnObserver {
  const calm = ([name, callback]: [string, Callback]): [string, Callback] => [
    name,
    (...given) => {
      try {
        callback(...given)
      } catch (error) {
        diag.error('an observer failed', error)
      }
    },
  ]
  return Object.fromEntries((Object.entries(observer) as [string, Callback][]).map(calm))
}
