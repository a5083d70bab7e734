import Negotiator from 'negotiator'

/** Returns true if an Accept header prefers a media type to JSON. */
export function prefers(accept: string | undefined, type: string): boolean {
  return (
    new Negotiator({ headers: { accept: accept ?? 'application/json' } }).mediaType(['application/json', type]) === type
  )
}

/** Returns those of the media types that an Accept header admits (RFC 9110 §12.5.1); all without a header. */
export const acceptedOf = (accept: string | undefined, types: readonly string[]): string[] =>
  new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaTypes([...types])

/** Content codings in which documents are stored, the smaller one first. */
const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** Returns the coding that an Accept-Encoding header prefers, the smaller one among equals; null for identity. */
export function codingOf(acceptEncoding: string | undefined): Coding | null {
  const negotiator: Preferring = new Negotiator({ headers: { 'accept-encoding': acceptEncoding ?? '' } })
  const wanted = negotiator.encoding([...CODINGS, 'identity'], { preferred: CODINGS })
  return CODINGS.find((coding) => coding === wanted) ?? null
}

/** The published types lack the second parameter. */
interface Preferring {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined
}
