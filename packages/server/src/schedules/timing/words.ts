const NUMBERS: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  eleven: '11',
  twelve: '12',
  fifteen: '15',
  twenty: '20',
  thirty: '30',
  first: '1st',
  second: '2nd',
  third: '3rd',
  fourth: '4th',
}

/** Words that say nothing about the time. */
const FILLERS = /\b(?:every|each|on|the|and|at|in|of|please|run|it)\b|&/g

/** The words of a text, taken out one by one as they are understood. */
export function openWords(text: string): {
  readonly take: (pattern: RegExp) => RegExpExecArray | undefined
  readonly isUsedUp: () => boolean
} {
  let rest = text
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/\b([ap])\.\s?m\b\.?/g, '$1m')
    .replaceAll(/[’`]/g, "'")
    .replaceAll(/[,;]/g, ' and ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\band and\b/g, 'and')
    .replaceAll(/[a-z]+/g, (word) => (Object.hasOwn(NUMBERS, word) ? NUMBERS[word]! : word))
    .replace(/[.!]$/, '')
    .trim()
  return {
    take(pattern) {
      const found = pattern.exec(rest)
      if (!found) return undefined
      rest = `${rest.slice(0, found.index)} | ${rest.slice(found.index + found[0].length)}`
      return found
    },
    isUsedUp: () => rest.replaceAll(FILLERS, '').replaceAll(/[|\s]/g, '') === '',
  }
}
