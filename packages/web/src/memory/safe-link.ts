/** The address when it is safe to open: of the web. Items and facts hold what others wrote. */
export function toSafeLink(link: string | undefined): string | undefined {
  if (link === undefined || !URL.canParse(link)) return undefined
  const { protocol, href } = new URL(link)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}
