const HIDDEN = '[secret]'
/** Shorter ones would be found in words that are none. */
const LEAST_CHARS = 6

/** The text without these secrets, also where they are written for an address or in base64. */
export function hideSecrets(text: string, secrets: Iterable<string | undefined>): string {
  let hidden = text
  for (const secret of secrets) {
    if (secret === undefined || secret.length < LEAST_CHARS) continue
    for (const form of formsOf(secret)) hidden = hidden.replaceAll(form, HIDDEN)
  }
  return hidden
}

function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '')
  const inJson = JSON.stringify(secret).slice(1, -1)
  return [secret, inJson, encodeURIComponent(secret.toWellFormed()), base64]
}
