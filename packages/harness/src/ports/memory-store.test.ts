import { testStore } from '../testing/store-suite.ts'
import { createMemoryStore } from './memory-store.ts'

testStore('memory', () => createMemoryStore())
