// oxlint-disable unicorn/require-post-message-target-origin -- a worker's port is not a window
import { parentPort } from 'node:worker_threads'
import { classifyExecution, loadBuiltinRules, reduceExecutionWithRules } from 'tokenjuice'
import type { ReduceReply, ReduceRequest } from './command-reducer.ts'

const MAX_CHARS = 4_000

// The rules that come with the library and no others. It would also take some from the working folder, and whoever
// writes there could then choose what the model reads.
const rules = await loadBuiltinRules()
// Left aside: the rule for everything, and those that know who ran a program and not what it prints. They keep a few
// lines of each end; our own compaction of logs keeps what matters.
const usefulRules = new Set(
  rules.map(({ rule }) => rule.id).filter((id) => id !== 'generic/fallback' && !id.startsWith('task/')),
)

async function reduce({ command, text }: ReduceRequest): Promise<string | undefined> {
  // The name that the rules ask for.
  const execution = { toolName: 'exec', command, combinedText: text, exitCode: 0 }
  if (!usefulRules.has(classifyExecution(execution, rules).matchedReducer ?? '')) return undefined
  const { classification, previewText } = await reduceExecutionWithRules(execution, rules, {
    maxInlineChars: MAX_CHARS,
  })
  // Several commands in one line are left to the rule for everything.
  if (!usefulRules.has(classification.matchedReducer ?? '')) return undefined
  // The preview is the text without the library's counts, which count "0 vulnerabilities" as one.
  return previewText !== undefined && previewText.length <= MAX_CHARS ? previewText : undefined
}

parentPort?.on('message', (request: ReduceRequest) => {
  void reduce(request).then((text) => {
    parentPort?.postMessage({ text } satisfies ReduceReply)
  })
})
parentPort?.postMessage('ready')
