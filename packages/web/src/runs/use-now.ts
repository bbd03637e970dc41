import { useEffect, useState } from 'react'

/** The time, read again every so often; without `everyMs` it stands still. */
export function useNow(everyMs: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
