import { StoreError } from '@capstan/harness'
import type { Secret, SecretVault } from '@capstan/harness/stores'
import type { Documents } from './documents.ts'
import { createOneByOne } from './one-by-one.ts'

/** Documents that hold secrets, encrypted in the vault of an installation that one process uses. Each is a JSON object. */
export function createVaultDocuments(vault: SecretVault): Documents {
  const texts = new Map<string, string | undefined>()
  const oneByOne = createOneByOne()

  async function load(name: string): Promise<string | undefined> {
    if (!texts.has(name)) texts.set(name, await readVault(name))
    return texts.get(name)
  }

  /** What cannot be decrypted is no JSON, so whoever reads it sees that it is damaged. */
  async function readVault(name: string): Promise<string | undefined> {
    try {
      const secret = await vault.read(name)
      return secret && JSON.stringify(secret)
    } catch (error) {
      if (error instanceof StoreError) return ''
      throw error
    }
  }

  return {
    async load(names) {
      for (const name of names) await load(name)
    },
    read: (name) => texts.get(name),
    change: (name, work) =>
      oneByOne(name, async () => {
        const next = work(await load(name))
        if (next === undefined) return
        await vault.write(name, JSON.parse(next) as Secret)
        texts.set(name, next)
      }),
    watch: () => () => {},
    setAside: () => {
      throw new StoreError('damaged', 'A secret cannot be read.')
    },
  }
}
