/** Entries that a sample keeps of each list. */
const ENTRIES_MAX = 3

/** Shortens the lists of an item, so that a catalogue of samples stays short. */
export const sampleOf = (data: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, ENTRIES_MAX) : value]),
  )
