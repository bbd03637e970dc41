import type { ActionRow } from '@capstan/protocol'
import type { ChosenEffect } from '../../ports/connection-store.ts'
import type { Action } from '../../ports/connector.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import { higherEffect } from '../../turn/tool/tool.ts'

const MAX_DESCRIPTION_CHARS = 500

/**
 * An action with the effect that the user chose for it. A choice holds for the definition it was made for. After a change
 * of the definition it no longer lowers the effect, and still raises it. Pure.
 */
export function applyChoice<Kind extends Action>(action: Kind, chosen: ChosenEffect | undefined): Kind {
  if (!chosen) return action
  const isSame = chosen.digest === action.digest
  return { ...action, effect: isSame ? chosen.effect : higherEffect(action.effect, chosen.effect) }
}

/** Whether the definition of an action changed since it was last used. Pure. */
export const isRewritten = (action: Action, known: string | undefined): boolean =>
  known !== undefined && known !== action.digest

/** An action for people: what it counts as, and why. Pure. */
export function toActionRow(
  action: Action,
  chosen: ChosenEffect | undefined,
  known: string | undefined,
): ActionRow {
  const { name, digest, because = 'code' } = action
  const judged = applyChoice(action, chosen)
  const isChosen = chosen?.digest === digest
  const hasChanged = isRewritten(action, known)
  return {
    name,
    description: sanitizeLine(action.description, MAX_DESCRIPTION_CHARS),
    effect: hasChanged ? 'admin' : judged.effect,
    because: hasChanged ? 'changed' : isChosen ? 'user' : because,
    digest,
  }
}
