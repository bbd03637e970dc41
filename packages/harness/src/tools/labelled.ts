import type { JsonObject } from '../turn/json.ts'
import type { Tool } from '../turn/tool/tool.ts'

const MAX_DETAIL_CHARS = 200

/** A label for the timeline whose detail is one of the arguments. */
export function labelled(label: string, field: string, otherwise?: string): NonNullable<Tool['label']> {
  return (args: JsonObject) => {
    const detail = args[field] ?? otherwise
    return typeof detail === 'string' ? { label, detail: detail.slice(0, MAX_DETAIL_CHARS) } : { label }
  }
}
