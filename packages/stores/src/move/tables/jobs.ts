import { JOB_COLUMNS } from '../../shared/jobs/job-columns.ts'
import type { TableCopy } from '../copy-table.ts'
import { valuesOf } from './threads.ts'

/** Running jobs are copied as they are: their leases end, and then they run again. */
export const JOBS: TableCopy = {
  table: 'jobs',
  columns: {
    no: 'bigint',
    user_id: 'text',
    id: 'text',
    kind: 'text',
    key: 'text',
    status: 'text',
    next_at: 'double precision',
    attempts: 'integer',
    created_at: 'double precision',
    started_at: 'double precision',
    ended_at: 'double precision',
    epoch: 'bigint',
    lease_until: 'double precision',
    owner: 'text',
    interruptions: 'integer',
    details: 'text',
    state: 'text',
  },
  rows: (context) => valuesOf(context, `SELECT no, ${JOB_COLUMNS.join(', ')} FROM jobs`),
}
