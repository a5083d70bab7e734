import { createHash } from 'node:crypto'
import { base32nopad, base58 as bitcoin, base58xrp, utils, type BytesCoder } from '@scure/base'

type Decode = (text: string) => Uint8Array | null

/** Returns the decoded bytes; null if the decoder throws for an invalid character, length or checksum. */
const orNull =
  ({ decode }: Pick<BytesCoder, 'decode'>): Decode =>
  (text) => {
    try {
      return decode(text)
    } catch {
      return null
    }
  }

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest()
const checked = utils.checksum(4, (data) => Uint8Array.from(sha256(sha256(data))))

/** Decodes base58; returns null for an invalid character. The caller bounds the length. */
export const base58 = orNull(bitcoin)
/** Decodes base58check; returns the payload if its four checksum bytes (double SHA-256) are right, else null. */
export const base58check = orNull(utils.chain(checked, bitcoin))
/** Decodes base58check in the alphabet of the XRP Ledger, as `base58check` does. */
export const base58checkXrp = orNull(utils.chain(checked, base58xrp))
/** Decodes RFC 4648 base32 without padding; returns null for an invalid character. */
export const base32 = orNull(base32nopad)

/** Computes CRC-16/XMODEM, as Stellar and TON use it. */
export function crc16(data: Uint8Array): number {
  let crc = 0
  for (const byte of data) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}
