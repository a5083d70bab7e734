import type { Address } from 'viem'

/** Returns an address in the lower case in which the venue hashes it. */
export const lowerAddress = (address: Address): Address => address.toLowerCase() as Address
