import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RecordingProblem } from './read-lines.ts'

/** Announced delisting of a token at Binance. */
export interface Delisting {
  readonly announcedAt: number
  readonly endsAt: number
}

/** Returns announced delistings by ticker. Throws if the recording is missing. */
export async function readDelistings(replayDir: string): Promise<ReadonlyMap<string, Delisting>> {
  const path = 'delistings/binance_spot_delistings.tsv'
  const table = await readFile(join(replayDir, path), 'utf8').catch((cause: unknown) => {
    throw new RecordingProblem(`The recording ${path} is not in the folder of recordings.`, { cause })
  })
  const ends = new Map<string, Delisting>()
  for (const line of table.split('\n').slice(1)) {
    const [, announced = '', effective = '', , base = ''] = line.split('\t')
    const endsAt = Date.parse(`${effective}T03:00:00.000Z`)
    if (base !== '' && !Number.isNaN(endsAt)) ends.set(base, { announcedAt: Number(announced), endsAt })
  }
  return ends
}
