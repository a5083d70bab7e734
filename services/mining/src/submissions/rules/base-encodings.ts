import { createHash } from 'node:crypto'

const BITCOIN = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const RIPPLE = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest()

/** Decodes base58; null for a foreign character. The caller bounds the length. */
export function base58(text: string, alphabet: 'bitcoin' | 'ripple' = 'bitcoin'): Uint8Array | null {
  const letters = alphabet === 'bitcoin' ? BITCOIN : RIPPLE
  let value = 0n
  for (const letter of text) {
    const digit = letters.indexOf(letter)
    if (digit < 0) return null
    value = value * 58n + BigInt(digit)
  }
  const bytes: number[] = []
  for (; value > 0n; value >>= 8n) bytes.unshift(Number(value & 255n))
  const zero = letters.charAt(0)
  for (const letter of text) {
    if (letter !== zero) break
    bytes.unshift(0)
  }
  return Uint8Array.from(bytes)
}

/** Decodes base58check: the payload when its four checksum bytes (double SHA-256) are right, else null. */
export function base58check(text: string, alphabet: 'bitcoin' | 'ripple' = 'bitcoin'): Uint8Array | null {
  const bytes = base58(text, alphabet)
  if (bytes === null || bytes.length < 5) return null
  const payload = bytes.subarray(0, -4)
  const sum = sha256(sha256(payload)).subarray(0, 4)
  return Buffer.compare(sum, bytes.subarray(-4)) === 0 ? payload : null
}

/** CRC-16/XMODEM, as Stellar and TON use it. */
export function crc16(data: Uint8Array): number {
  let crc = 0
  for (const byte of data) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}

/** Decodes RFC 4648 base32 without padding; null for a foreign character. */
export function base32(text: string): Uint8Array | null {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of text) {
    const digit = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter)
    if (digit < 0) return null
    held = ((held << 5) | digit) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >> bits) & 255)
    }
  }
  return Uint8Array.from(bytes)
}
