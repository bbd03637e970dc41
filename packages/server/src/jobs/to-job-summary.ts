import type { JobRow } from '@capstan/harness/stores'
import type { JobSummary } from '@capstan/protocol'

/** What screens show of a job. What a handler keeps is not among it. */
export function toJobSummary(job: JobRow): JobSummary {
  const { userId: _user, key: _key, body: _body, state: _state, ...summary } = job
  return summary
}
