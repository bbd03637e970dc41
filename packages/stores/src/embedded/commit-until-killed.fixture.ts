import { writeSync } from 'node:fs'
import { iteration, runStart, THREAD, USER } from './sample-records.fixture.ts'
import { openEmbeddedStore } from './open-store.ts'

// Run as a process of its own: commits until it is killed, and says of each commit that it was made.
const [folder = '', mode] = process.argv.slice(2)
const store = openEmbeddedStore({ folder })
const next = (await store.ledger.lastSeq(THREAD)) + 1
if (next === 1) {
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [runStart('Count until you are stopped.')])
}
writeSync(1, 'open\n')
if (mode === 'idle') setInterval(() => {}, 1000)
else {
  for (let seq = next; ; seq++) {
    await store.ledger.commit(THREAD, iteration(seq, 'x'.repeat(2000)))
    writeSync(1, `${seq}\n`)
    // Lets indexing and checkpoints have their turn, so that they are interrupted, too.
    if (seq % 8 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}
