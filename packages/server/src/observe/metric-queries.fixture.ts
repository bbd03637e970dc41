// Reads the selectors of PromQL queries, and finds the samples that they select in the text of `/metrics`.

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

interface Selector {
  readonly text: string
  readonly name: string
  readonly matchers: readonly { readonly label: string; readonly is: string; readonly value: string }[]
}

const FUNCTIONS = new Set(['sum', 'rate', 'increase', 'histogram_quantile', 'label_values'])

/** The selectors of a query. Throws for a word that is neither a function nor a metric of ours or of Node. */
export function selectorsOf(query: string): readonly Selector[] {
  const bare = query
    .replaceAll(/\bby \([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/(label_values\(\w+), \w+\)/g, '$1)')
  const selectors: Selector[] = []
  for (const [text, name = '', braces = ''] of bare.matchAll(/([a-z_]\w*)(?:\{([^}]*)\})?/gi)) {
    if (FUNCTIONS.has(name)) continue
    if (!/^(?:capstan|gen_ai|process|nodejs)_/.test(name)) throw new Error(`what is "${name}" in ${query}?`)
    const matchers = [...braces.matchAll(/(\w+)(=~|!=|=)"([^"]*)"/g)].map(
      ([, label = '', is = '', value = '']) => ({ label, is, value }),
    )
    // Prometheus adds the instance when it reads the metrics.
    selectors.push({ text, name, matchers: matchers.filter(({ label }) => label !== 'instance') })
  }
  return selectors
}

/** The samples of a text in the format of Prometheus. */
export function readSamples(text: string): readonly Sample[] {
  const lines = text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gim)
  return [...lines].map(([, name = '', labels = '']) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', value = '']) => [label, value]),
    ),
  }))
}

/** Whether a selector finds a sample. */
export const finds = ({ name, matchers }: Selector, samples: readonly Sample[]): boolean =>
  samples.some(
    (sample) =>
      sample.name === name &&
      matchers.every(({ label, is, value }) => {
        const actual = sample.labels[label] ?? ''
        if (is === '=~') return new RegExp(`^(?:${value})$`).test(actual)
        return (actual === value) === (is === '=')
      }),
  )
