/** One piece of work of a page's main thread, during which it answers nobody. */
interface Task {
  /** By the clock on the wall. */
  readonly wallMs: number
  /** For which the thread had the processor. The same, where nobody else wants it. */
  readonly processorMs: number
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** What `browser.startTracing` must be asked for. */
export const TASK_CATEGORIES = ['toplevel']

/** The tasks of the main threads of all pages in a trace. */
export function mainThreadTasks(trace: Buffer): readonly Task[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  )
  return traceEvents
    .filter((event) => event.ph === 'X' && event.name.endsWith('RunTask') && mains.has(threadOf(event)))
    .map(({ dur = 0, tdur = 0 }) => ({ wallMs: dur / 1000, processorMs: tdur / 1000 }))
}
