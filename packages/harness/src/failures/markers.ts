import type { FailureClass } from '@capstan/protocol'

interface Mark {
  readonly class: FailureClass
  readonly rule: string
}

const OPENING_CHARS = 400

// Others put their own word in front of ours when they pass a text on.
const WRAPPERS = /^\s*(?:error(?: executing [\w.-]{1,80})?: ){0,3}/i

/**
 * What the harness itself wrote into a text, read only where it writes it: at the very start. What stands behind
 * such an opening is payload (a schema, the output of a command) and is never read. Pure; never throws.
 */
export function readMarker(text: string): Mark | undefined {
  const start = WRAPPERS.exec(text)?.[0].length ?? 0
  const opening = text.slice(start, start + OPENING_CHARS)
  const exit = /^The command ended with exit code (\d{1,5})\./.exec(opening)
  if (exit) return { class: exitClass(Number(exit[1])), rule: 'exit-report' }
  return MARKERS.find(({ opens }) => opens.test(opening))
}

function exitClass(code: number): FailureClass {
  if (code === 127) return 'missing_app'
  if (code === 126) return 'missing_permission'
  return 'command_failed'
}

// "…" was not run: … The reason behind it says who refused.
const NOT_RUN = String.raw`^"[^"\n]{1,200}" was not run: [^\n]{0,300}?`

const MARKERS: readonly (Mark & { readonly opens: RegExp })[] = [
  { rule: 'marked-blocked', class: 'blocked_by_policy', opens: /^\[policy-blocked\]/ },
  {
    rule: 'marked-expired',
    class: 'approval_expired',
    opens: /^\[policy-denied\].{0,300}?(?:timed? ?out|expired|no answer|not answered|in time)/is,
  },
  { rule: 'marked-denied', class: 'denied_by_user', opens: /^\[policy-denied\]/ },
  {
    rule: 'arguments-refused',
    class: 'invalid_input',
    opens: /^The arguments (?:of "[^"\n]{1,200}" do not fit|could not be read): /,
  },
  { rule: 'tool-unknown', class: 'not_found', opens: /^There is no tool named "/ },
  { rule: 'own-deadline', class: 'timeout', opens: /^"[^"\n]{1,200}" timed out after [\d.]+ seconds\.$/ },
  { rule: 'own-stop', class: 'cancelled', opens: /^"[^"\n]{1,200}" was stopped before it finished\.$/ },
  { rule: 'own-stop', class: 'cancelled', opens: new RegExp(`${NOT_RUN}the turn was stopped`) },
  { rule: 'own-expiry', class: 'approval_expired', opens: new RegExp(`${NOT_RUN}nobody answered in time`) },
  {
    rule: 'own-no',
    class: 'denied_by_user',
    opens: new RegExp(`${NOT_RUN}(?:the user said no|this was refused before)`),
  },
  { rule: 'own-refusal', class: 'blocked_by_policy', opens: new RegExp(NOT_RUN) },
  {
    rule: 'own-refusal',
    class: 'blocked_by_policy',
    opens:
      /^"[^"\n]{1,200}" (?:would (?:change|administer) something, and this run may only|is not available here\. Nothing was run)/,
  },
  {
    rule: 'own-refusal',
    class: 'blocked_by_policy',
    opens: /^[^\n]{1,380}\. Nothing was fetched(?:\.|: pages inside)/,
  },
  {
    rule: 'own-refusal',
    class: 'blocked_by_policy',
    opens:
      /^(?:[^\s]{1,200} redirects from https to [^\s]{1,200}, which is not protected|Commands are switched off here|This command hides what it runs|No folder is allowed any more|The user (?:does not allow|now counts) )/,
  },
]
