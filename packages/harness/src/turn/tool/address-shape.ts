const MAX_CHARS = 400

/** Whether a value is a mail address or a web address, and nothing else: then something goes there, whatever its argument is called. */
export function isWholeAddress(value: string): boolean {
  const text = value.trim()
  if (text.length > MAX_CHARS) return false
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) || /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text)
}

/** Whether a key names somebody, as `eve@example.com` does, and is not the name of a field. */
export const isAddressKey = (key: string): boolean => /[@/:]|\.\p{L}{2}|\d{6}/u.test(key)
