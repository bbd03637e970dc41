import { BACKGROUND_CONTEXT, JsonlSessionRepo } from '@earendil-works/pi-agent-core'
import { NodeExecutionEnv } from '@earendil-works/pi-agent-core/harness/env/nodejs'
import { storeFolder } from '../lanes/store-folder.ts'
import type { Subject } from '../subject.ts'
import { piHarnessOn } from './pi-harness.ts'

/** pi's harness on its JSONL sessions: one file per conversation, appended to. */
const cwd = storeFolder()
const sessions = new JsonlSessionRepo({ fileSystem: new NodeExecutionEnv({ cwd }), sessionsRoot: cwd })

export const subject: Subject = piHarnessOn(() => sessions.create({ cwd }, BACKGROUND_CONTEXT))
