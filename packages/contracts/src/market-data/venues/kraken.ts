import { listsOnly, type VenueFile } from '../venue-file.ts'

/** About one public request a second is admitted. */
export const venue = {
  ...listsOnly,
  ccxt: 'kraken',
  pools: { main: { units: 4, windowMs: 5_000 } },
  status: 'status',
  regulated: {
    name: 'Kraken',
    states: 'special purpose depository institution of Wyoming; crypto-asset service provider in the EU',
  },
} satisfies VenueFile
