/** A name as people read it, where only one for programs is known: `create_page` is "Create page". */
export function toName(slug: string): string {
  const words = slug
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .replaceAll(/[\s_.:/-]+/g, ' ')
    .trim()
  return words === '' ? slug : words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** An agent inside of a sentence: `integrations_agent` is "integrations agent". */
export const agentName = ({ agent }: { readonly agent: string }): string => agent.replaceAll('_', ' ')
