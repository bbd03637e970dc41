export {
  SCRIPTED_USAGE,
  ScriptedModel,
  calls,
  callsMany,
  cuts,
  drips,
  empty,
  fails,
  malformedCall,
  raw,
  says,
  stalls,
} from './scripted-model.ts'
export type { ReplyOptions, ScriptedCall, ScriptedReply, Step } from './scripted-model.ts'
