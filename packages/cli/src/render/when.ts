const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (n: number): string => String(n).padStart(2, '0')

/** A point in local time, without the parts it shares with now: "09:30", "Nov 15", "2025-11-15". */
export function toWhen(at: number, now: number): string {
  const then = new Date(at)
  const today = new Date(now)
  if (then.toDateString() === today.toDateString()) return `${two(then.getHours())}:${two(then.getMinutes())}`
  if (then.getFullYear() === today.getFullYear()) return `${MONTHS[then.getMonth()]} ${then.getDate()}`
  return toDay(then)
}

/** A point in local time in full: "2026-11-15 09:30:05". */
export function toFullTime(at: number): string {
  const then = new Date(at)
  return `${toDay(then)} ${two(then.getHours())}:${two(then.getMinutes())}:${two(then.getSeconds())}`
}

const toDay = (then: Date): string =>
  `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`
