const HIDDEN = '[secret]'
/** A shorter one would be found in ordinary words. */
const LEAST_CHARS = 6

/** The text without these secrets, also where they are URL-encoded or in base64. Pure. */
export function hideSecrets(text: string, secrets: Iterable<string | undefined>): string {
  let hidden = text
  for (const secret of secrets) {
    if (secret === undefined || secret.length < LEAST_CHARS) continue
    for (const form of formsOf(secret)) hidden = hidden.replaceAll(form, HIDDEN)
  }
  return hidden
}

function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret)
    .toString('base64')
    .replace(/={1,2}$/, '')
  const inJson = JSON.stringify(secret).slice(1, -1)
  return [secret, inJson, encodeURIComponent(secret.toWellFormed()), base64]
}
