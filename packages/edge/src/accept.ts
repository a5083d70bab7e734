/** Qualities that an Accept or Accept-Encoding header names, by lower-case name; 1 for a name without one. */
export function qualitiesOf(header: string | undefined): ReadonlyMap<string, number> {
  return new Map(
    (header ?? '').split(',').map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [name, q === undefined ? 1 : Number(q) || 0] as const
    }),
  )
}

/** Whether an Accept header names a media type with a quality above that of JSON. */
export function prefers(accept: string | undefined, type: string): boolean {
  const qualities = qualitiesOf(accept)
  return (qualities.get(type) ?? 0) > (qualities.get('application/json') ?? 0)
}

/** Content codings that documents are kept in, the smaller one first. */
const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** The coding that an Accept-Encoding header wants most; null for none. Of equals the smaller one wins. */
export function codingOf(acceptEncoding: string | undefined): Coding | null {
  const qualities = qualitiesOf(acceptEncoding)
  let best: Coding | null = null
  let most = qualities.get('identity') ?? 0
  for (const coding of CODINGS) {
    const quality = qualities.get(coding) ?? qualities.get('*') ?? 0
    if (quality === 0 || quality < most || (best !== null && quality === most)) continue
    best = coding
    most = quality
  }
  return best
}
