import { createHash } from 'node:crypto'
import { keccak256, stringToHex, type Hex } from 'viem'

/** The hash by which the terms and the factory name a mandate: keccak256 of its public id. */
export const mandateIdHash = (publicId: string): Hex => keccak256(stringToHex(publicId))

/** What is stored of the token by which an unowned draft is claimed. */
export const claimHash = (token: string): string => createHash('sha256').update(token).digest('hex')
