/** A readable name made from a slug: `create_page` becomes "Create page". */
export function toName(slug: string): string {
  const words = slug
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .replaceAll(/[\s_.:/-]+/g, ' ')
    .trim()
  return words === '' ? slug : words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** An agent's name inside a sentence: `integrations_agent` becomes "integrations agent". */
export const agentName = ({ agent }: { readonly agent: string }): string => agent.replaceAll('_', ' ')
