import type { WorkBudget } from '../../text/pattern/work-budget.ts'

/** How many characters are compared or copied in the time of one step. */
const CHARS_PER_STEP = 64

/** Whether two JSON values are equal. The order of fields does not count. */
export function isSame(one: unknown, other: unknown, budget: WorkBudget): boolean {
  budget.spend(1)
  if (typeof one === 'string' && typeof other === 'string') {
    if (one.length !== other.length) return false
    budget.spend(one.length / CHARS_PER_STEP)
    return one === other
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((inner, index) => isSame(inner, other[index], budget))
  }
  const keys = Object.keys(one)
  const others = Object.keys(other)
  budget.spend(keys.length + others.length)
  if (keys.length !== others.length) return false
  return keys.every(
    (key) => Object.hasOwn(other, key) && isSame(Reflect.get(one, key), Reflect.get(other, key), budget),
  )
}

/** The same text for equal JSON values, and different texts for different ones. */
export function toKey(value: unknown, budget: WorkBudget): string {
  budget.spend(4)
  if (typeof value === 'string') budget.spend(value.length / CHARS_PER_STEP)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (Array.isArray(value)) return `[${value.map((inner) => toKey(inner, budget)).join()}]`
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${toKey((value as Record<string, unknown>)[key], budget)}`)
  return `{${fields.join()}}`
}
