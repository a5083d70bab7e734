import { base62 } from '@svc/contracts/api-key'
import { randomBytes } from 'node:crypto'

/** Returns a nonce of 128 random bits, in the letters and digits that EIP-4361 allows. */
export const newNonce = () => base62(BigInt(`0x${randomBytes(16).toString('hex')}`), 22)
