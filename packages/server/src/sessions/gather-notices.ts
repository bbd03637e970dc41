import type { Clock } from '@capstan/harness/seams'

/** Screens are told of changes once in so long. */
const NOTICE_MS = 200

/** Calls `tell` once for the changes of a user within a moment. */
export function gatherNotices(clock: Clock, tell: (userId: string) => void): (userId: string) => void {
  const noted = new Set<string>()
  return (userId) => {
    if (noted.has(userId)) return
    noted.add(userId)
    clock.after(NOTICE_MS, () => {
      noted.delete(userId)
      tell(userId)
    })
  }
}
