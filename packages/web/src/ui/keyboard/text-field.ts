/** Inputs that take no text. */
const NO_TEXT = ['checkbox', 'radio', 'button', 'submit', 'range', 'file', 'color']

/** The field that a key writes into, if it does. */
export function textFieldOf(target: EventTarget | null): HTMLInputElement | HTMLTextAreaElement | undefined {
  if (target instanceof HTMLTextAreaElement) return target
  return target instanceof HTMLInputElement && !NO_TEXT.includes(target.type) ? target : undefined
}

/** Empties a field as if the person had, so that its component notices. */
export function emptyField(field: HTMLInputElement | HTMLTextAreaElement): void {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set?.call(field, '')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
