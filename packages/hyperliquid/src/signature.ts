import { z } from 'zod'
import { type Hex, padHex } from 'viem'

/** The form in which the venue takes a signature: r and s of 32 bytes each, v 27 or 28. */
export interface Signature {
  readonly r: Hex
  readonly s: Hex
  readonly v: 27 | 28
}

const word = z.templateLiteral(['0x', z.string()]).refine((text) => /^0x[0-9a-fA-F]{1,64}$/.test(text))
const parts = z.strictObject({
  r: word,
  s: word,
  v: z.union([z.int(), z.enum(['0', '1', '27', '28']).transform(Number)]),
})
const joined = z.string().regex(/^0x[0-9a-fA-F]{130}$/)

/**
 * Normalises a wallet's signature, given as `{r, s, v}` or as 65 bytes in hex: pads r and s, and turns v 0 and 1 into 27
 * and 28. Returns null for anything else: 64 bytes, and signatures of contract wallets, which the venue cannot check.
 */
export function normalizeSignature(given: unknown): Signature | null {
  const text = joined.safeParse(given)
  const fields = text.success
    ? { r: text.data.slice(0, 66), s: `0x${text.data.slice(66, 130)}`, v: Number.parseInt(text.data.slice(130), 16) }
    : given
  const parsed = parts.safeParse(fields)
  if (!parsed.success) return null
  const v = parsed.data.v < 27 ? parsed.data.v + 27 : parsed.data.v
  if (v !== 27 && v !== 28) return null
  const pad = (hex: Hex): Hex => padHex(hex.toLowerCase() as Hex, { size: 32 })
  return { r: pad(parsed.data.r as Hex), s: pad(parsed.data.s as Hex), v }
}

/** Returns the parts of a signature that a local key made: 65 bytes, v 27 or 28. */
export const splitSignature = (hex: Hex): Signature => ({
  r: `0x${hex.slice(2, 66)}`,
  s: `0x${hex.slice(66, 130)}`,
  v: hex.endsWith('1b') ? 27 : 28,
})
