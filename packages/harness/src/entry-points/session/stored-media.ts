import type { ThreadId } from '@capstan/protocol'
import type { Recorder } from '../../ledger/recorder/recorder.ts'
import type { Ledger } from '../../ports/ledger.ts'
import type { PastConversation } from '../../turn/archive.ts'
import type { Clock } from '../../turn/clock.ts'
import type { MediaStore } from '../../turn/message/media-store.ts'
import { newMediaRef } from '../../turn/new-id.ts'
import { mediaOf } from '../../turn/message/message.ts'

/**
 * Opens the media of a stored thread. The media of its conversation are read when it is opened, those of a sub-agent when
 * that is resumed. Media are written with the message that carries them.
 */
export async function openStoredMedia(
  threadId: ThreadId,
  ledger: Ledger,
  recorder: Recorder,
  clock: Clock,
  past: PastConversation | undefined,
): Promise<MediaStore> {
  const media = new Map<string, Uint8Array>()
  const load = async (refs: readonly string[]): Promise<void> => {
    for (const ref of refs) {
      const bytes = media.has(ref) ? undefined : await ledger.readMedia(threadId, ref)
      if (bytes) media.set(ref, bytes)
    }
  }
  await load((past?.messages ?? []).flatMap(mediaOf).map(({ ref }) => ref))
  return {
    get: (ref) => media.get(ref),
    load,
    put(bytes) {
      const ref = newMediaRef()
      media.set(ref, bytes)
      recorder.add({ type: 'media', at: clock.now(), ref, bytes })
      return ref
    },
  }
}
