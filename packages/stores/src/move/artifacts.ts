import type { ArtifactStore } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import type { RestorableArtifacts } from '../shared/artifacts/thread-artifacts.ts'
import type { Source } from './source.ts'

const SLICE_BYTES = 2 ** 20

/** The text of an artifact, in parts. Undefined instead of a part when there is no such artifact. */
export async function* readArtifact(
  artifacts: ArtifactStore,
  threadId: ThreadId,
  id: string,
): AsyncGenerator<string | undefined> {
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const slice = await artifacts.read(threadId, id, { offset, maxBytes: SLICE_BYTES })
    yield slice?.text
    offset = slice?.nextOffset
  }
}

/** Copies the artifacts of a thread. Answers with how many there were. */
export async function copyArtifacts(
  { store, artifacts }: Source,
  target: RestorableArtifacts,
  threadId: ThreadId,
): Promise<number> {
  const ids = await artifacts.list(threadId)
  for (const id of ids) {
    const writer = target.restore(threadId, id)
    try {
      for await (const part of readArtifact(store.artifacts, threadId, id)) await writer.write(part ?? '')
    } catch (error) {
      await writer.discard()
      throw error
    }
    await writer.close()
  }
  return ids.length
}
