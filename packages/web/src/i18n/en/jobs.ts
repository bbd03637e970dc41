import type { JobStatus } from '@capstan/protocol'

/** Work that is done without a person. */
export const jobs = {
  title: 'Jobs',
  intro: 'All work that Capstan does without you, newest first.',
  loadFailed: 'The jobs could not be loaded',
  empty: {
    text: 'Schedules, triggers and the sync of an app appear here.',
  },
  none: { title: 'No job fits', reset: 'Show all jobs' },
  kind: 'Kind',
  state: 'State',
  all: 'All',
  kinds: { sync: 'Sync', schedule: 'Schedule', trigger: 'Trigger', watch: 'Listening' },
  states: {
    waiting: 'Waiting',
    running: 'Running',
    paused: 'Paused',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  } satisfies Record<JobStatus, string>,
  next: 'Next time',
  last: 'Last time',
  attempts: 'Failed attempts: {{number}}',
  progress: 'Looked at: {{seen}} of about {{expected}}',
  progressOpen: 'Looked at so far: {{seen}}',
  actions: {
    pause: 'Pause',
    resume: 'Resume',
    run: 'Run now',
    cancel: 'End for good',
  },
  cancelAsk: {
    title: 'End “{{title}}” for good?',
    text: 'It stops and does not run again. To hold it for a while, pause it instead.',
  },
  more: 'Show more jobs',
} as const
