import type { Locale } from '../locale.ts'
import { activity } from './activity.ts'
import { approvals } from './approvals.ts'
import { chat } from './chat.ts'
import { connections } from './connections.ts'
import { failures } from './failures.ts'
import { jobs } from './jobs.ts'
import { memory } from './memory.ts'
import { people } from './people.ts'
import { problems } from './problems.ts'
import { runs } from './runs.ts'
import { schedules } from './schedules.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { sync } from './sync.ts'
import { timeline } from './timeline.ts'
import { triggers } from './triggers.ts'
import { ui } from './ui.ts'

export const de: Locale<'de'> = {
  ui,
  shell,
  settings,
  people,
  chat,
  timeline,
  approvals,
  connections,
  sync,
  memory,
  activity,
  triggers,
  schedules,
  jobs,
  runs,
  failures,
  problems,
}
