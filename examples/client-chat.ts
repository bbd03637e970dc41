import { createInterface } from 'node:readline'
import { answerOf, createClient, EMPTY_THREAD, foldEvents, rowsOf } from '@capstan/client'

// A chat with a running server. `npx capstan login --token` prints the token.
// CAPSTAN_URL=http://127.0.0.1:4100 CAPSTAN_TOKEN=… npx node examples/client-chat.ts
const { CAPSTAN_URL: url, CAPSTAN_TOKEN: token } = process.env
const client = createClient({ url, token })
const input = createInterface(process.stdin)
const lines = input[Symbol.asyncIterator]()
const ask = async (question: string): Promise<string | undefined> => {
  process.stdout.write(question)
  return (await lines.next()).value
}
const { id } = await client.api.createThread()
let view = EMPTY_THREAD
for (let text = await ask('> '); text; text = await ask('> ')) {
  const { runId } = await client.api.sendMessage(id, { text, messageId: crypto.randomUUID() })
  for await (const event of client.streamThread(id, { after: view.lastSeq })) {
    view = foldEvents(view, [event])
    for (const { depth, item } of rowsOf(view.turns.at(-1)!))
      if (item.type === 'call' && item.endKey === event.seq)
        console.log(`${'  '.repeat(depth)}[${item.status}] ${item.label} ${item.detail ?? ''}`)
    if (event.type === 'approval-request') {
      const isYes = (await ask(`Allow "${event.label}"? (y/n) `)) === 'y'
      await client.api.answerApproval(event.approvalId, isYes ? 'allow-once' : 'deny')
    } else if (event.type === 'connection-request') {
      console.log(`Connect ${event.name} in the web app at ${url}. The turn waits and then goes on here.`)
    } else if (event.type === 'turn-end' && event.runId === runId) break
  }
  console.log(answerOf(view.turns.at(-1)!).text)
}
client.close()
input.close()
