/**
 * Whether a value is a mail address or a web address, and nothing else: then something goes there, whatever its
 * argument is called.
 */
export function isWholeAddress(value: string): boolean {
  const text = value.trim()
  if (/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text)) return true
  return /^[^\s@]+@[^\s@]+$/.test(text) && /.\../.test(text.slice(text.indexOf('@') + 1))
}

/** Whether a key names somebody, as `eve@example.com` does, and is not the name of a field. */
export const isAddressKey = (key: string): boolean => /[@/:]|\.\p{L}{2}|\d{6}/u.test(key)

const SEPARATORS = /[\s<>,;"'`()[\]{}|]+/
const LABELS = String.raw`(?:[\p{L}\p{N}_-]{1,63}\.){1,16}`
/** A host name with a port or a path, or an internet address. */
const HOST_AND_MORE = new RegExp(String.raw`^${LABELS}(?:\p{L}{2,24}[:/?#]|\d{1,3}(?:$|[:/?#]))`, 'u')
const HOST = new RegExp(String.raw`^${LABELS}(\p{L}{2,24}|xn--[a-z0-9-]{1,59})\.?$`, 'iu')
/** Endings of file names that are no top-level domains. */
const FILE_ENDING = /^(?:csv|docx?|gif|html?|ics|jpe?g|json|mp3|mp4|pdf|png|pptx?|txt|xlsx?|xml)$/i
const CALLED = /^(?:mailto|tel|sms|smsto|callto|sip|sips|xmpp|im|whatsapp|skype):./i
const PHONE = /\+\(?\d[\d ()./-]{5,30}\d/g
const NATIONAL_PHONE = /^\(?0[\d ()./-]{7,30}$/
export const BANK_ACCOUNT = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,6}){2,8}(?![\p{L}\p{N}])/gu

/**
 * Everything in a text that something could be sent to: mail and web addresses, hosts with a path, phone numbers and bank
 * accounts; a bare host or a national phone number only when it is the whole text. Rather too much than too little. Pure.
 */
export function addressesIn(value: string): readonly string[] {
  const text = value.normalize('NFKC')
  const parts = text.split(SEPARATORS).map((part) => part.replace(/[.,;:!?]+$/, ''))
  const found = parts.filter((part) => isAddress(part))
  const whole = text.trim()
  const isWhole = isHost(whole) || NATIONAL_PHONE.test(whole)
  return [
    ...new Set([
      ...found,
      ...(text.match(PHONE) ?? []),
      ...(text.match(BANK_ACCOUNT) ?? []),
      ...(isWhole ? [whole] : []),
    ]),
  ]
}

const isAddress = (part: string): boolean =>
  /[^@]@[^@]/.test(part) ||
  part.includes('://') ||
  /^(?:\/\/|\\\\|www\.)./i.test(part) ||
  CALLED.test(part) ||
  HOST_AND_MORE.test(part)

function isHost(text: string): boolean {
  const ending = HOST.exec(text)?.[1]
  return ending !== undefined && !FILE_ENDING.test(ending)
}
