import { posix } from 'node:path'
import { scanXml } from './scan-xml.ts'
import type { Zip } from './open-zip.ts'

/** A part that another part refers to. */
export interface Relation {
  readonly id: string
  /** The last word of its type, such as `notesSlide`. */
  readonly type: string
  /** The name of the part in the archive. */
  readonly part: string
}

/** What a part of an Office file refers to, in this file. */
export function relationsOf(zip: Zip, part: string): readonly Relation[] {
  const folder = posix.dirname(part)
  const relations: Relation[] = []
  scanXml(zip.read(`${folder}/_rels/${posix.basename(part)}.rels`) ?? '', {
    open(name, attribute) {
      if (name !== 'Relationship' || attribute('TargetMode') === 'External') return
      const target = attribute('Target') ?? ''
      relations.push({
        id: attribute('Id') ?? '',
        type: posix.basename(attribute('Type') ?? ''),
        part: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
      })
    },
  })
  return relations
}
