import { afterEach, describe } from 'vitest'
import type { Store } from '../ports/store.ts'
import { testArtifactStore } from './artifact-store-suite.ts'
import { testApprovals } from './store-suite/approval-promises.ts'
import { testAudit } from './store-suite/audit-promises.ts'
import { testFacts } from './store-suite/fact-promises.ts'
import { testGrants } from './store-suite/grant-promises.ts'
import { testHostileTexts } from './store-suite/hostile-text-promises.ts'
import { testJobs } from './store-suite/job-promises.ts'
import { testLedger } from './store-suite/ledger-promises.ts'
import { testLifetime } from './store-suite/lifetime-promises.ts'
import { testMemory } from './store-suite/memory-promises.ts'
import { testRuns } from './store-suite/run-promises.ts'
import { testSearch } from './store-suite/search-promises.ts'
import { testThreads } from './store-suite/thread-promises.ts'
import { testVectors } from './store-suite/vector-promises.ts'

/** Abilities that only some stores have. Tests that need a missing one are skipped. */
export interface StoreSuiteOptions {
  /** Closes the store and opens it again. For stores that survive a process. */
  readonly reopen?: (store: Store) => Store | Promise<Store>
  /** Changes a stored approval without the store. For stores that other programs can write to. */
  readonly editApproval?: (store: Store, approvalId: string) => void | Promise<void>
}

/**
 * The contract suite of `Store`. `create` returns a new, empty store. The suite closes it after each test, before hooks
 * that were registered earlier clean up.
 */
export function testStore(
  name: string,
  create: () => Store | Promise<Store>,
  { reopen, editApproval }: StoreSuiteOptions = {},
): void {
  describe(`${name} as a store`, () => {
    const opened: Store[] = []
    const keep = (store: Store): Store => {
      opened.push(store)
      return store
    }
    const open = async () => keep(await create())

    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close()
    })

    testLedger(open)
    testThreads(open)
    testSearch(open)
    testRuns(open)
    testApprovals(open, editApproval)
    testAudit(open)
    testGrants(open)
    testMemory(open)
    testVectors(open, reopen && (async (store) => keep(await reopen(store))))
    testFacts(open)
    testJobs(open, reopen && (async (store) => keep(await reopen(store))))
    testHostileTexts(open)
    testLifetime(open, reopen && (async (store) => keep(await reopen(store))))
    testArtifactStore(name, async () => (await open()).artifacts)
  })
}
