import type { CommandName } from '../command-list.ts'
import type { Command } from '../shell/shell.ts'
import { build } from './agent/build.ts'
import { dev } from './agent/dev.ts'
import { init } from './agent/init.ts'
import { db } from './database/db.ts'
import { migrate } from './database/migrate.ts'
import { approvals } from './history/approvals.ts'
import { audit } from './history/audit.ts'
import { explain } from './history/explain.ts'
import { runs } from './history/runs.ts'
import { threads } from './history/threads/threads.ts'
import { jobs } from './jobs/jobs.ts'
import { failures } from './jsonl/failures.ts'
import { guards } from './jsonl/guards.ts'
import { parse } from './jsonl/parse.ts'
import { policy } from './jsonl/policy.ts'
import { scrub } from './jsonl/scrub.ts'
import { memory } from './memory/memory.ts'
import { schedules } from './schedules/schedules.ts'
import { budget } from './server/budget.ts'
import { connect } from './server/connect.ts'
import { doctor } from './server/doctor.ts'
import { login } from './server/login.ts'
import { logins } from './server/logins.ts'
import { members } from './server/members.ts'
import { secrets } from './server/secrets.ts'
import { serve } from './server/serve.ts'
import { release, stop } from './server/stop.ts'
import { toolkits } from './server/toolkits.ts'
import { sync } from './sync/sync.ts'
import { triggers } from './triggers/triggers.ts'
import { chat } from './turns/chat.ts'
import { demo } from './turns/demo.ts'
import { resume } from './turns/resume.ts'
import { run } from './turns/run.ts'

export const COMMANDS: Readonly<Record<CommandName, Command>> = {
  serve,
  init,
  dev,
  build,
  login,
  logins,
  members,
  demo,
  run,
  chat,
  threads,
  memory,
  sync,
  jobs,
  triggers,
  schedules,
  runs,
  explain,
  approvals,
  audit,
  budget,
  secrets,
  stop,
  release,
  toolkits,
  connect,
  resume,
  doctor,
  migrate,
  db,
  failures,
  scrub,
  guards,
  policy,
  parse,
}
