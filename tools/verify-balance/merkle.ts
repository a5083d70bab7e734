import { createHash } from 'node:crypto'

const nodeOf = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()

/** The way of a leaf in a tree: its place from 0, the number of leaves, and the hashes beside the way from below. */
export interface Way {
  readonly position: number
  readonly size: number
  readonly path: readonly string[]
}

/** Returns the root to which an inclusion proof leads (RFC 9162, 2.1.3.2), as hex; null for a path of another length. */
export function rootOfPath(leaf: Buffer, { position, size, path }: Way): string | null {
  if (position >= size) return null
  let [hash, at, last] = [leaf, position, size - 1]
  for (const hex of path) {
    if (last === 0) return null
    const beside = Buffer.from(hex, 'hex')
    if (at % 2 === 1 || at === last) {
      // A last node without a neighbour has moved up by as many levels as it is alone.
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)]
      hash = nodeOf(beside, hash)
    } else hash = nodeOf(hash, beside)
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? hash.toString('hex') : null
}
