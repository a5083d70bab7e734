import { createHash } from 'node:crypto'
import { keccak256, stringToHex, type Hex } from 'viem'

/** Returns the id of a mandate in its terms and for the factory: keccak256 of the public id. */
export const mandateIdHash = (publicId: string): Hex => keccak256(stringToHex(publicId))

/** Returns the stored form of the token that claims an unowned draft. */
export const claimHash = (token: string): string => createHash('sha256').update(token).digest('hex')
