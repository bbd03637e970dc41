import { hashOf } from './text-hash.ts'
import { withoutVolatileParts } from './volatile-parts.ts'
import { isWatchingTool } from './watching-tool.ts'

/** Numbers that move towards an end: "40 %", "3 of 9", "12 s left", "page 4". */
const TOWARDS =
  /\d\s*%|\d+\s*(?:of|out of|von|sur|de|di|\/)\s*\d+|\b(?:left|remaining|to go|übrig|restant\w*)\b|\b(?:page|step|stage|phase|part|chunk|level|round|position|place|layer|block|batch|seite|schritt|étape|paso)\s+#?\d/iu

/** Amounts of something: they differ because there is more or less of it. */
const AMOUNT =
  /\d\s*(?:[kmgt]i?b|bytes?|°\s?[cf]?|km|cm|mm|m|kg|g|l|hl|bar|kwh|rpm|rows?|records?|lines?|files?|items?|pictures?|photos?|people|users?|votes?|words?|points?)\b/iu

const DONE =
  'created|added|posted|sent|saved|placed|booked|opened|submitted|published|queued|registered|recorded|logged|inserted|scheduled|issued|appended|stored|delivered|ordered|filed|written|accepted|confirmed|reserved|printed|charged|paid|transferred|started|triggered|restarted|set|made|noted|entered|erstellt|angelegt|gesendet|gespeichert|hinzugefügt|gebucht|créée?|envoyée?|ajoutée?|enregistrée?|creado|enviado|añadido|guardado|creato|inviato|aggiunto|salvato'
const COPY =
  'id|as|no|nr|number|under|ref|message|mail|ticket|comment|job|entry|row|line|note|version|revision|rev|draft|order|task|event|post|reply|invoice|receipt|record|copy|run|build'

/** A receipt for a repeated action: its number names the copy and is no progress. */
const RECEIPT: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<=\p{L}[\s:]+#?|#)[\w-]*\d[\w-]*(?=[\s:,]+(?:was |is |has been |wurde |est |ha sido )?(?:${DONE})\b)`,
    'giu',
  ),
  new RegExp(
    String.raw`(?<=\b(?:${DONE})\b[^\d\n]{0,16}(?:\b(?:${COPY})\b\.?[\s:=]*#?|#))[\w-]*\d[\w-]*`,
    'giu',
  ),
  new RegExp(String.raw`(?<=\b(?:${DONE})\b[^\d\n]{0,8})https?:\S+`, 'giu'),
]

/** Whether the numbers in a text report progress. */
const movesTowards = (text: string): boolean => TOWARDS.test(text)

/** The progress that a text reports, if any. */
export function progressMark(text: string): string | undefined {
  return withoutVolatileParts(text.slice(0, 2000)).match(
    /\d+(?:[.,]\d+)?\s*%|\d+\s*(?:of|out of|von|sur|\/)\s*\d+/iu,
  )?.[0]
}

/** Receipts and counters are short; in longer texts every difference counts. */
const LONGEST_RECEIPT = 400

function stillText(text: string, tool: string): string {
  const still = withoutVolatileParts(text)
  if (text.length > LONGEST_RECEIPT || isWatchingTool(tool) || movesTowards(still)) return still
  return RECEIPT.reduce((rest, receipt) => rest.replace(receipt, '·'), still)
}

/**
 * An output in comparable form. `same` is equal for outputs that differ only in volatile parts, `shape` for those that
 * differ in numbers, or names with numbers, that do not report progress. Computed on first use, since most outputs are
 * never compared.
 */
export class OutputPrint {
  readonly #text: string
  readonly #tool: string
  #same: number | undefined
  #shape: number | undefined

  constructor(text: string, tool: string) {
    this.#text = text
    this.#tool = tool
  }

  get same(): number {
    this.#same ??= hashOf(stillText(this.#text, this.#tool))
    return this.#same
  }

  get shape(): number {
    this.#shape ??= hashOf(toShape(this.#text, this.#tool))
    return this.#shape
  }
}

function toShape(text: string, tool: string): string {
  if (text.length > LONGEST_RECEIPT || isWatchingTool(tool) || movesTowards(text) || AMOUNT.test(text))
    return text
  return text.replaceAll(/[\w-]*\d[\w.,-]*/g, '·')
}
