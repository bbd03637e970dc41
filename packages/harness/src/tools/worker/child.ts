import { json } from 'node:stream/consumers'
import type { WorkerAnswer, WorkerTask } from './answer.ts'
import { runTask, toThrown } from './run-task.ts'

// The other side of a confined worker tool: reads one call from its input, and answers once, in the last line of its
// output. What the tool itself prints goes to stderr.
const write = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)

const end = (answer: WorkerAnswer): void =>
  void write(`\n${JSON.stringify(toPlain(answer))}\n`, () => process.exit(0))

function toPlain(answer: WorkerAnswer): WorkerAnswer {
  if (answer.type === 'value' && ['function', 'symbol'].includes(typeof answer.value))
    throw new TypeError(`The tool returned a ${typeof answer.value}, which is not plain data.`)
  if (answer.type !== 'outcome' || !answer.media) return answer
  const media = answer.media.map(({ bytes, data, ...rest }) => ({
    ...rest,
    data: bytes ? Buffer.from(bytes).toString('base64') : data,
  }))
  return { ...answer, media }
}

process.on('uncaughtException', (error) => end(toThrown(error)))
try {
  end(await runTask((await json(process.stdin)) as WorkerTask))
} catch (error) {
  end(toThrown(error))
}
