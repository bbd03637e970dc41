import type { Directory } from '../directory/directory.ts'
import type { NamedAction } from '../directory/toolkit-slug.ts'
import { findAction, toSlug } from '../directory/toolkit-slug.ts'

interface Apps {
  readonly directory: Directory
  readonly userId: string
}

/** The action of an app that a model means, if it is certain which. A name of another app never reaches this one. */
export function findMeantAction<Kind extends NamedAction>(
  actions: readonly Kind[],
  named: string,
  slug: string,
  apps: Apps,
): Kind | undefined {
  if (namesOtherApp(named, slug, apps)) return undefined
  const found = findAction(actions, named, slug)
  return 'action' in found ? found.action : undefined
}

/** Whether a name begins with another app of the user. */
function namesOtherApp(named: string, slug: string, { directory, userId }: Apps): boolean {
  const asked = `${toSlug(named)}_`
  const others = (directory.last(userId)?.toolkits ?? []).filter((one) => one.slug !== slug)
  return others.some((one) => asked.startsWith(`${one.slug}_`)) && !asked.startsWith(`${slug}_`)
}
