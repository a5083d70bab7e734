import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import type { Authenticator } from '@nats-io/nats-core'
import { SettingError } from '@svc/contract'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** First byte of the public key of a user: its text begins with U. */
const USER = 20 << 3
/** A seed in bytes: a prefix of two, the key, and a checksum of two. */
const SEED = { begin: 2, end: 34, length: 36 }
/** What stands before the bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Returns text in base32 without padding. */
function encoded(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replaceAll(/.{1,5}/g, (five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)] ?? '')
}

/** Returns the bytes of a text in base32 without padding. */
function decoded(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Returns the checksum of nkeys, CRC-16/XMODEM, with its lower byte first. */
function checksumOf(bytes: Uint8Array): Buffer {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    crc &= 0xffff
  }
  return Buffer.from([crc & 0xff, crc >> 8])
}

/** Returns the key of a user's seed (`SU…`). Throws `SettingError` for any other text. */
function keyOf(seed: string): KeyObject {
  const bytes = /^SU[A-Z2-7]{56}$/.test(seed) ? decoded(seed) : Buffer.alloc(0)
  const isWhole =
    bytes.length === SEED.length && checksumOf(bytes.subarray(0, SEED.end)).equals(bytes.subarray(SEED.end))
  if (!isWhole)
    throw new SettingError('SVC_NATS_SEED: not the nkey seed of a NATS user (SU…): copy it again, or make a new one.')
  return createPrivateKey({
    key: Buffer.concat([PKCS8, bytes.subarray(SEED.begin, SEED.end)]),
    format: 'der',
    type: 'pkcs8',
  })
}

/** Returns the public key of a private one as NATS writes it (`U…`). */
function publicOf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const bytes = Buffer.concat([Buffer.from([USER]), Buffer.from(x, 'base64url')])
  return encoded(Buffer.concat([bytes, checksumOf(bytes)]))
}

/**
 * Returns what answers the challenge of a NATS server with the nkey seed of a user. The client's own does the same in
 * JavaScript, which stops the process for 30 ms at each connection. Throws `SettingError` for a text that is no such seed.
 */
export function nkeyAuthenticator(seed: string): Authenticator {
  const key = keyOf(seed)
  const nkey = publicOf(key)
  return (nonce) => ({ nkey, sig: sign(null, Buffer.from(nonce ?? ''), key).toString('base64') })
}
