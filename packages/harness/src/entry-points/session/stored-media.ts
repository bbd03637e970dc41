import type { ThreadId } from '@capstan/protocol'
import type { Recorder } from '../../ledger/recorder/recorder.ts'
import type { Ledger } from '../../ports/ledger.ts'
import type { PastConversation } from '../../turn/archive.ts'
import type { Clock } from '../../turn/clock.ts'
import type { MediaStore } from '../../turn/media-store.ts'
import type { MediaPart, Message } from '../../turn/message.ts'

/** The media of a stored conversation: read once, when it is opened; written with the message that carries them. */
export async function openStoredMedia(
  threadId: ThreadId,
  ledger: Ledger,
  recorder: Recorder,
  clock: Clock,
  past: PastConversation | undefined,
): Promise<MediaStore> {
  const media = new Map<string, Uint8Array>()
  for (const { ref } of (past?.messages ?? []).flatMap(mediaOf)) {
    const bytes = await ledger.readMedia(threadId, ref)
    if (bytes) media.set(ref, bytes)
  }
  let count = media.size
  return {
    get: (ref) => media.get(ref),
    put(bytes) {
      // The time is part of it: media that were compacted away keep their numbers.
      const ref = `media_${clock.now().toString(36)}_${++count}`
      media.set(ref, bytes)
      recorder.add({ type: 'media', at: clock.now(), ref, bytes })
      return ref
    },
  }
}

function mediaOf(message: Message): readonly MediaPart[] {
  if (message.role === 'tool') return message.media ?? []
  return message.role === 'user' ? message.parts.filter((part) => part.type !== 'text') : []
}
