import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { Log } from '@svc/service'
import { venueFormats, type Listed, type VenueFormat } from './domain/venue-formats.ts'

const inflate = promisify(zstdDecompress)
const FILE_BYTES_MAX = 32 * 1024 * 1024
const TEXT_BYTES_MAX = 256 * 1024 * 1024

/** Body of the recorded answer whose address contains `url`: the first line that matches. */
function bodyOf(lines: Buffer, url: string): unknown {
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf(10, start)
    const line = lines.subarray(start, end === -1 ? lines.length : end)
    start = end === -1 ? lines.length : end + 1
    if (!line.subarray(0, 400).includes(url)) continue
    const record = JSON.parse(line.toString('utf8')) as { t?: unknown; url?: unknown; data?: unknown }
    if (
      record.t === 'http' &&
      typeof record.url === 'string' &&
      record.url.includes(url) &&
      typeof record.data === 'string'
    ) {
      return JSON.parse(record.data)
    }
  }
  throw new Error('holds no recorded market list')
}

async function readVenue(file: string, format: VenueFormat): Promise<Listed[]> {
  if ((await stat(file)).size > FILE_BYTES_MAX) throw new Error('is larger than a capture may be')
  const lines = await inflate(await readFile(file), { maxOutputLength: TEXT_BYTES_MAX })
  return format.read(bodyOf(lines, format.url))
}

/**
 * Reads the recorded market list of each known venue. A capture that is missing or unreadable is
 * logged and left out. The files lie in the folder itself or in its `cryptofeed` folder.
 */
export async function readCaptures(directory: string, log: Log): Promise<Map<string, readonly Listed[]>> {
  const venues = new Map<string, readonly Listed[]>()
  // One after the other: each capture is inflated whole, and their sum need not fit the memory.
  for (const format of venueFormats) {
    const places = [join(directory, 'cryptofeed', format.capture), join(directory, format.capture)]
    for (const place of places) {
      try {
        venues.set(format.exchange, await readVenue(place, format))
        break
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
          log.warn(
            { exchange: format.exchange, reason: error instanceof Error ? error.message.slice(0, 200) : 'unreadable' },
            'capture left out',
          )
          break
        }
      }
    }
  }
  return venues
}
