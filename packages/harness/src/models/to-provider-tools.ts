import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { toJsonSchema } from '../turn/tool/tool.ts'
import type { Tool } from '../turn/tool/tool.ts'

const converted = new WeakMap<readonly Tool[], LanguageModelV4FunctionTool[]>()

/** Tools in the provider's form, converted once per list. Undefined without tools: some providers refuse an empty list. */
export function toProviderTools(tools: readonly Tool[]): LanguageModelV4FunctionTool[] | undefined {
  if (tools.length === 0) return undefined
  let form = converted.get(tools)
  if (!form) {
    form = tools.map(({ name, description, input }) => ({
      type: 'function',
      name,
      description,
      inputSchema: toJsonSchema(input),
    }))
    converted.set(tools, form)
  }
  return form
}
