import type { MemoryItem } from '@capstan/harness/stores'

/** Languages whose words are made up from these pieces, about as long as real ones. */
const PIECES = {
  en: 'ba ble con der est fo gra hin ing jo ker lan mo ner op pre qui ras ster tion und ver wor yel',
  ar: 'ال با تم جر حس خل دم رس زه سف شم صب ضو طر عل غد فت قم كت لب مد نه وص يد',
  ja: '山 川 田 会 議 資 料 予 定 表 東 京 駅 前 本 社 員 研 修 夏 冬 春 秋 旅 行 計 画 書 類 検',
} as const
export type SampleLanguage = keyof typeof PIECES
export const SAMPLE_LANGUAGES = Object.keys(PIECES) as SampleLanguage[]

const WORDS = 20_000
const WORDS_PER_ITEM = 60

/** Words by rank: the first are in most items, the last in few, as in a language. */
function makeWords(language: SampleLanguage, random: () => number): readonly string[] {
  const pieces = PIECES[language].split(' ')
  const pick = (): string => pieces[Math.floor(random() * pieces.length)] ?? ''
  return Array.from({ length: WORDS }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, pick).join(''),
  )
}

/** The same numbers every time. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Items and queries about them in one language. */
export function createSamples(language: SampleLanguage) {
  const random = createRandom(SAMPLE_LANGUAGES.indexOf(language) + 1)
  const words = makeWords(language, random)
  const word = (): string => words[Math.floor(WORDS ** random()) - 1] ?? ''
  const text = (count: number): string =>
    Array.from({ length: count }, word).join(language === 'ja' ? '' : ' ')
  return {
    item: (n: number): MemoryItem => ({
      id: `${language}${n}`,
      app: 'notes',
      externalId: String(n),
      at: n * 60_000,
      title: text(4),
      text: `${text(WORDS_PER_ITEM)} ${language.toUpperCase()}-${n}`,
      people: [text(2)],
      seenAt: 0,
    }),
    query: (): string => text(2 + Math.floor(random() * 4)),
  }
}
