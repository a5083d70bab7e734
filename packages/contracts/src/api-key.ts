import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BODY_LENGTH = 43
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^svc_[0-9A-Za-z]{${BODY_LENGTH + CHECKSUM_LENGTH}}$`)

/** Formats a non-negative integer in base62 with exactly `length` digits. Throws if it does not fit. */
export function base62(value: bigint, length: number): string {
  let rest = value
  let text = ''
  for (let place = 0; place < length; place += 1) {
    text = DIGITS.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  if (rest !== 0n) throw new RangeError(`the number needs more than ${length} base62 digits`)
  return text
}

const checksumOf = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_LENGTH)

/** Formats 32 random bytes as an API key: `svc_`, 43 base62 digits, and their CRC-32 as 6 base62 digits. */
export function formatApiKey(random: Uint8Array): string {
  if (random.length !== 32) throw new RangeError('an API key requires 32 bytes')
  const body = base62(BigInt(`0x${Buffer.from(random).toString('hex')}`), BODY_LENGTH)
  return `svc_${body}${checksumOf(body)}`
}

/**
 * Returns true if a text has the form of an API key and a valid checksum. A mistyped key fails here without a look-up;
 * a valid form does not mean that the key exists.
 */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && text.slice(-CHECKSUM_LENGTH) === checksumOf(text.slice(4, 4 + BODY_LENGTH))
}
