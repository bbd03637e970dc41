import type { JsonObject } from '../../turn/json.ts'
import type { FlowTool } from '../data-flow.ts'

/** One call of a case. `asks`: the rule that must ask about it; absent: it must be allowed. */
interface CaseStep {
  readonly tool: string
  readonly args: JsonObject
  readonly result?: string
  readonly asks?: string
  /** Said by the user before this call. */
  readonly user?: string
}

/** A conversation of our own invention. */
export interface FlowCase {
  readonly title: string
  readonly user: string
  readonly steps: readonly CaseStep[]
  /** Tools beside the usual ones, or instead of one with the same name. */
  readonly tools?: readonly FlowTool[]
}

const tool = (
  name: string,
  effect: FlowTool['effect'],
  returns: FlowTool['returns'],
  destinations: readonly string[] = [],
): FlowTool => ({ name, effect, returns, destinations, description: `${name.replaceAll('_', ' ')}.` })

/** The tools of the cases. */
export const CASE_TOOLS: readonly FlowTool[] = [
  tool('find_mails', 'read', ['private', 'untrusted']),
  tool('write_mail', 'write', [], ['to', 'cc', 'bcc']),
  tool('answer_mail', 'write', [], ['mail_id']),
  tool('remove_mail', 'write', []),
  tool('find_person', 'read', ['private']),
  tool('save_person', 'write', [], ['email']),
  tool('open_page', 'read', ['untrusted'], ['url']),
  tool('ask_engine', 'read', ['untrusted'], ['query']),
  tool('open_document', 'read', ['private', 'untrusted']),
  tool('list_documents', 'read', ['private', 'untrusted']),
  tool('remove_document', 'write', []),
  tool('list_members', 'read', ['private']),
  tool('list_rooms', 'read', ['private', 'untrusted']),
  tool('read_room', 'read', ['private', 'untrusted']),
  tool('post_in_room', 'write', [], ['room']),
  tool('own_profile', 'read', ['private']),
  tool('list_events', 'read', ['private', 'untrusted']),
  tool('plan_event', 'write', ['private'], ['guests']),
  tool('list_inns', 'read', []),
  tool('inn_reviews', 'read', ['untrusted']),
  tool('book_inn', 'write', [], ['inn']),
  tool('transfer', 'write', [], ['account']),
  tool('find_payee', 'read', ['private']),
  tool('note', 'write', []),
  tool('recall', 'read', ['private']),
  tool('shell', 'write', ['private', 'untrusted']),
]
