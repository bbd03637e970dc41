import { openEmbeddedStore } from '../../open-store.ts'
import { createLeadThreads, THREAD } from '../../../fixtures/lead-and-helpers.fixture.ts'

// Runs as its own process: asks for a mail in a thread of the folder, prints every event as a line, and never ends by
// itself. With an approval's id it only answers, and ends.

const [folder, approvalId] = process.argv.slice(2) as [string, string?]
const store = openEmbeddedStore({ folder })
if (approvalId) {
  process.stdout.write(`${await store.approvals.answer(approvalId, 'allow-once', Date.now())}\n`)
  await store.close()
} else {
  const threads = createLeadThreads(store, folder, {
    onEvent: (event) => void process.stdout.write(`${JSON.stringify(event)}\n`),
  })
  await threads.create({ id: THREAD })
  const session = await threads.open(THREAD)
  void session.send('Send it.')
  setInterval(() => {}, 60_000)
}
