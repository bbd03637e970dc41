import { MemorySession } from '@openai/agents'
import type { Subject } from '../subject.ts'
import { openaiAgentsOn } from './openai-agents.ts'

/**
 * With its session memory. The JavaScript package has no session on disk: besides the hosted one there is this one,
 * which lives in memory.
 */
export const subject: Subject = openaiAgentsOn(() => new MemorySession())
