import type { Action } from '../../ports/connector.ts'
import { isReservedName } from '../../turn/tool/reserved-names.ts'

/** An action as a sub-agent may call it. */
export interface AppAction extends Action {
  /** Its name at the service. `name` differs from it when that is the name of a tool of the harness. */
  readonly serviceName: string
  /** Its effect before the user's choice. */
  readonly judgedEffect: Action['effect']
}

/**
 * The actions of an app under names that no tool of the harness has: `web_fetch` of the app `acme` is `acme_web_fetch`. An
 * action whose new name is taken is left out. Pure.
 */
export function toAppActions(actions: readonly Action[], slug: string): readonly AppAction[] {
  const taken = new Set(actions.map(({ name }) => name))
  return actions.flatMap((action) => {
    const own = { ...action, serviceName: action.name, judgedEffect: action.effect }
    if (!isReservedName(action.name)) return [own]
    const name = `${slug}_${action.name}`
    return taken.has(name) ? [] : [{ ...own, name }]
  })
}
