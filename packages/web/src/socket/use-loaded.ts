import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '@capstan/client'
import { useOnline } from './server-context.tsx'

export interface Loaded<T> {
  /** The last result. It stays during the next read, and when that fails. */
  readonly data: T | undefined
  readonly error: ApiError | undefined
  readonly isLoading: boolean
  readonly reload: () => void
  /** Replaces the result, such as by the answer to a change, without reading again. */
  readonly setData: (data: T) => void
}

/**
 * Reads something for a component: when it mounts, when `key` changes, and when the connection comes online. A late
 * answer to an older read is dropped.
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [held, setHeld] = useState<{ readonly key: string; readonly data?: T; readonly error?: ApiError }>({
    key,
  })
  const [isLoading, setLoading] = useState(true)
  const [attempt, setAttempt] = useState(0)
  const newest = useRef(load)
  useEffect(() => {
    newest.current = load
  })

  useEffect(() => {
    const controller = new AbortController()
    setLoading(true)
    newest.current(controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return
        setHeld({ key, data })
        setLoading(false)
      },
      (reason: unknown) => {
        if (controller.signal.aborted) return
        const error = reason instanceof ApiError ? reason : toInternal(reason)
        setHeld((before) =>
          before.key === key && before.data !== undefined ? { ...before, error } : { key, error },
        )
        setLoading(false)
      },
    )
    return () => controller.abort()
  }, [key, attempt])

  const reload = useCallback(() => setAttempt((count) => count + 1), [])
  const setData = useCallback((data: T) => setHeld({ key, data }), [key])

  useOnline(reload)

  const current = held.key === key ? held : undefined
  return { data: current?.data, error: current?.error, isLoading, reload, setData }
}

function toInternal(cause: unknown): ApiError {
  return new ApiError({ code: 'internal', message: 'An answer could not be read.' }, cause)
}
