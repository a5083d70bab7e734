import { readdirSync } from 'node:fs'
import type { VenueFile } from './venue-file.ts'

const folder = new URL('./venues/', import.meta.url)
const ID = /^([a-z0-9]{2,32})\.ts$/

async function readFiles(): Promise<ReadonlyMap<string, VenueFile>> {
  const ids = readdirSync(folder)
    .flatMap((file) => ID.exec(file)?.[1] ?? [])
    .toSorted()
  const files = ids.map(async (id) => {
    const { venue } = (await import(/* @vite-ignore */ new URL(`${id}.ts`, folder).href)) as {
      venue: VenueFile
    }
    return [id, venue] as const
  })
  return new Map(await Promise.all(files))
}

/** Every venue that the product knows, by its id. A new one is a file in `venues/`: nothing else names a venue. */
export const venueFiles: ReadonlyMap<string, VenueFile> = await readFiles()

const idsOf = (use: VenueFile['use']) => [...venueFiles].flatMap(([id, file]) => (file.use === use ? [id] : []))

/** Exchanges that can be read for the board, by their ids. */
export const VENUES: readonly string[] = idsOf('board')

/** Exchanges of which only the market lists are read. */
export const BREADTH_VENUES: readonly string[] = idsOf('breadth')

/** Returns the file of a venue. Throws `RangeError` if there is none. */
export function venueFile(id: string): VenueFile {
  const file = venueFiles.get(id)
  if (file === undefined) throw new RangeError(`no venue ${id}`)
  return file
}
