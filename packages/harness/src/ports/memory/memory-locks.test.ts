import { testLocks } from '../../testing/locks-suite.ts'
import { createMemoryLocks } from './memory-locks.ts'

testLocks('memory', async () => {
  const locks = createMemoryLocks()
  return [locks, locks]
})
