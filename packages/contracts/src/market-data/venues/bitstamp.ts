import { listsOnly, type VenueFile } from '../venue-file.ts'

/** 10,000 requests in ten minutes are admitted. */
export const venue = {
  ...listsOnly,
  ccxt: 'bitstamp',
  pools: { main: { units: 8_000, windowMs: 600_000 } },
  status: 'trading',
  regulated: { name: 'Bitstamp', states: 'BitLicense of New York; crypto-asset service provider in the EU' },
} satisfies VenueFile
