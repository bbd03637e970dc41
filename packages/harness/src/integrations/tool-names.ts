/** The tool that gives a task in an app to a sub-agent. */
export const DELEGATE = 'delegate_to_integrations_agent'

/** The tool that asks the person to connect an app. */
export const CONNECT = 'connect_app'

/** The tool that finds actions of an app. */
export const FIND = 'find_actions'

/** The tool that calls one of them. */
export const CALL = 'call_action'

/** Words as text: "a", "a and b", "a, b and c". Pure. */
export const listWords = (words: readonly string[], joint = 'and'): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`
