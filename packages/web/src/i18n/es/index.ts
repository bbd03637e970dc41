import type { Locale } from '../locale.ts'
import { approvals } from './approvals.ts'
import { chat } from './chat.ts'
import { connections } from './connections.ts'
import { failures } from './failures.ts'
import { people } from './people.ts'
import { problems } from './problems.ts'
import { runs } from './runs.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { timeline } from './timeline.ts'
import { ui } from './ui.ts'

export const es: Locale<'es'> = {
  ui,
  shell,
  settings,
  people,
  chat,
  timeline,
  approvals,
  connections,
  runs,
  failures,
  problems,
}
