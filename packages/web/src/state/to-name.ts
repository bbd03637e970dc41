/** A name as people read it, where only one for programs is known: `create_page` is "Create page". */
export function toName(slug: string): string {
  const words = slug
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .replaceAll(/[\s_.:/-]+/g, ' ')
    .trim()
  return words === '' ? slug : words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}
