import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** Where an answer sends us, if it does. Never from https down to http. Pure. */
export function toNextUrl(
  from: URL,
  status: number,
  location: string | undefined,
): { readonly next: string } | { readonly refusal: ToolOutcome } | undefined {
  if (!REDIRECTS.includes(status) || location === undefined) return undefined
  if (!URL.canParse(location, from.href)) {
    return {
      refusal: fail(`${from.host} redirects to "${location.slice(0, 200)}", which is not a URL.`, {
        errorCode: 'unsupported',
      }),
    }
  }
  const next = new URL(location, from.href)
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    return {
      refusal: fail(
        `${from.host} redirects from https to ${next.origin}, which is not protected. It was not followed.`,
        {
          deniedBy: 'policy',
        },
      ),
    }
  }
  return { next: next.href }
}
