import { listsOnly, type VenueFile } from '../venue-file.ts'

/** Ten public requests a second are admitted. */
export const venue = {
  ...listsOnly,
  ccxt: 'coinbaseexchange',
  pools: { main: { units: 8, windowMs: 1_000 } },
  status: 'status',
  regulated: { name: 'Coinbase', states: 'BitLicense of New York; crypto-asset service provider in the EU' },
} satisfies VenueFile
