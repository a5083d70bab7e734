/** Letters that look like Latin ones: the Cyrillic, Greek and digit part of UTS 39 that occurs in names. */
const lookalikes = new Map<string, string>(
  Object.entries({
    а: 'a',
    в: 'b',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    ё: 'e',
    һ: 'h',
    н: 'h',
    і: 'i',
    ї: 'i',
    ј: 'j',
    к: 'k',
    ӏ: 'l',
    м: 'm',
    п: 'n',
    о: 'o',
    р: 'p',
    ԛ: 'q',
    г: 'r',
    ѕ: 's',
    т: 't',
    ц: 'u',
    ѵ: 'v',
    ѡ: 'w',
    х: 'x',
    у: 'y',
    ү: 'y',
    з: '3',
    α: 'a',
    β: 'b',
    ε: 'e',
    η: 'n',
    ι: 'i',
    κ: 'k',
    μ: 'u',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    σ: 'o',
    τ: 't',
    υ: 'u',
    χ: 'x',
    ω: 'w',
    ζ: 'z',
    ı: 'i',
    ɡ: 'g',
    ɑ: 'a',
    '0': 'o',
    '1': 'l',
    i: 'l',
    '|': 'l',
    '5': 's',
  }),
)

/** Returns the skeleton of a name (after UTS 39); two names with equal skeletons are easily mistaken for each other. */
export function skeleton(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const latin = (letter: string) => lookalikes.get(letter) ?? letter
  // Twice, since a lookalike of i is a lookalike of l too.
  return [...plain]
    .map((letter) => latin(latin(letter)))
    .join('')
    .replaceAll('rn', 'm')
    .replace(/[\s._-]+/g, '')
}

/** Returns true if one word of a text mixes Latin letters with Cyrillic or Greek ones. */
export function mixesScripts(text: string): boolean {
  return text
    .split(/[^\p{L}\p{M}]+/u)
    .some((word) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word))
}
