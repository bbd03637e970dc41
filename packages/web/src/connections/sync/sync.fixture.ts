import type { JobSummary, SyncView } from '@capstan/protocol'

/** A sync for tests: it is on and waits for its next run. */
export function syncOf(
  connectionId: string,
  fields: Partial<SyncView> = {},
  job: Partial<JobSummary> = {},
): SyncView {
  return {
    connectionId,
    toolkit: 'notes',
    label: 'ada@example.org',
    isOn: true,
    settings: {
      intervalMinutes: 30,
      days: 365,
      pages: 200,
      items: 10_000,
      requestsPerDay: 500,
      tokensPerDay: 5_000_000,
    },
    job: {
      id: `sync_${connectionId}`,
      kind: 'sync',
      title: 'Sync notes',
      status: 'waiting',
      nextAt: 0,
      attempts: 0,
      createdAt: 0,
      ...job,
    },
    problems: [],
    ...fields,
  }
}
