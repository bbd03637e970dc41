/** Gets the error of a listener that threw. */
export type ReportProblem = (error: unknown) => void

/** The listener as a function that never throws: what it throws is reported, and so breaks no connection. */
export function guardListener<Args extends readonly unknown[]>(
  listener: (...args: Args) => void,
  onProblem: ReportProblem,
): (...args: Args) => void {
  return (...args) => {
    try {
      listener(...args)
    } catch (error) {
      try {
        onProblem(error)
      } catch {
        // A report that throws has nobody left to report to.
      }
    }
  }
}
