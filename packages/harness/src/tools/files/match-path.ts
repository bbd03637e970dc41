const MAX_ALTERNATIVES = 64

/**
 * Whether a path fits a pattern: `*` and `?` within a name, `**` over folders, `{a,b}` either. A pattern without a
 * slash fits names in any folder. Takes time in proportion to both lengths, whatever the pattern. Pure.
 */
export function createPathMatcher(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern).map((one) =>
    (one.includes('/') ? one.replace(/^\.?\//, '') : `**/${one}`).split('/'),
  )
  return (path) => {
    const names = path.split('/')
    return alternatives.some((parts) => fitsList(parts, names, (part) => part === '**', fitsName))
  }
}

const fitsName = (pattern: string, name: string): boolean =>
  fitsList(
    Array.from(pattern),
    Array.from(name),
    (char) => char === '*',
    (char, letter) => char === '?' || char === letter,
  )

// Goes back only to the last wildcard: an earlier one could not do better.
function fitsList(
  pattern: readonly string[],
  items: readonly string[],
  isWild: (part: string) => boolean,
  fits: (part: string, item: string) => boolean,
): boolean {
  let at = 0
  let item = 0
  let wildAt = -1
  let wildItem = 0
  while (item < items.length) {
    const part = pattern[at]
    if (part !== undefined && isWild(part)) {
      wildAt = at++
      wildItem = item
    } else if (part !== undefined && fits(part, items[item]!)) {
      at++
      item++
    } else if (wildAt >= 0) {
      at = wildAt + 1
      item = ++wildItem
    } else return false
  }
  return pattern.slice(at).every(isWild)
}

function expandBraces(pattern: string): readonly string[] {
  let open = [pattern]
  const done: string[] = []
  while (open.length > 0 && open.length + done.length <= MAX_ALTERNATIVES) {
    open = open.flatMap((one) => {
      const brace = /\{([^{},]*,[^{}]*)\}/.exec(one)
      if (!brace) {
        done.push(one)
        return []
      }
      const [before, after] = [one.slice(0, brace.index), one.slice(brace.index + brace[0].length)]
      return brace[1]!.split(',').map((choice) => before + choice + after)
    })
  }
  return [...done, ...open]
}
