import { listsOnly, type VenueFile } from '../venue-file.ts'

/** 120 public requests a minute are admitted. Its list has names of pairs alone. */
export const venue = {
  ...listsOnly,
  ccxt: 'gemini',
  pools: { main: { units: 96, windowMs: 60_000 } },
  status: null,
  regulated: { name: 'Gemini', states: 'limited purpose trust company of New York' },
} satisfies VenueFile
