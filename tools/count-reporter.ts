import type { Reporter, TestModule } from 'vitest/node'

/**
 * Prints one line at the end of a test run, `N passed, N failed`, for people and CI. Stories of the browser tests count
 * the approvals they were asked for; one more line has the sum.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const asked: number[] = []
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) {
        const { state } = test.result()
        if (state !== 'pending') count[state]++
        const { questions } = test.meta()
        if (questions !== undefined) asked.push(questions)
      }
      if (tests.length === 0 && module.state() === 'failed') count.failed++
    }
    if (asked.length > 0)
      console.log(
        `${asked.reduce((sum, one) => sum + one, 0)} approvals asked for in ${asked.length} browser stories`,
      )
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    console.log(`${count.passed} passed, ${count.failed} failed${skipped}`)
  }
}
