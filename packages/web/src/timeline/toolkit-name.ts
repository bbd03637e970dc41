/** An app as people read it, where only its slug is known: "google_drive" is "Google drive". */
export function toolkitName(slug: string): string {
  const words = slug.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
