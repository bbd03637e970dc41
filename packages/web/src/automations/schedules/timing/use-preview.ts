import type { SchedulePreview } from '@capstan/protocol'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../../socket/server-context.tsx'
import type { ShownProblem } from '../../../socket/use-field-problem.ts'
import { useFieldProblem } from '../../../socket/use-field-problem.ts'

/** Nothing is asked while the person types. */
const PAUSE_MS = 300

export type PreviewState =
  | { readonly type: 'none' | 'asking' }
  | { readonly type: 'found'; readonly preview: SchedulePreview }
  | { readonly type: 'refused'; readonly problem: ShownProblem }

/** Asks the server when something would run, each time it changes. Without a zone, in the one of the server. */
export function usePreview(when: string, zone: string | undefined): PreviewState {
  const api = useApi()
  const toProblem = useRef(useFieldProblem())
  const [state, setState] = useState<PreviewState>({ type: 'none' })
  useEffect(() => {
    if (when === '' || zone === '') return setState({ type: 'none' })
    const controller = new AbortController()
    const { signal } = controller
    // What was found stays on the screen until there is an answer.
    setState((known) => (known.type === 'none' ? { type: 'asking' } : known))
    const timer = setTimeout(() => {
      const asked = { when, ...(zone !== undefined && { zone }) }
      api.previewSchedule(asked, { signal }).then(
        (preview) => signal.aborted || setState({ type: 'found', preview }),
        (refusal: unknown) =>
          signal.aborted || setState({ type: 'refused', problem: toProblem.current(refusal) }),
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, when, zone])
  return state
}
