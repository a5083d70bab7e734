import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'

/** A recording that is not there or not as its format says. The message is for the operator. */
export class RecordingProblem extends Error {}

const LINE_FEED = 10
const LINE_BYTES_MAX = 8 * 1024 * 1024

/**
 * Gives each line of a zstd file in the folder of recordings to `onLine`, as bytes that are valid only during the call.
 * Never holds more than a line.
 */
export async function readLines(replayDir: string, path: string, onLine: (line: Buffer) => void): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  const problem = (why: string, cause?: unknown) => new RecordingProblem(`The recording ${path} ${why}.`, { cause })
  try {
    await pipeline(createReadStream(join(replayDir, path)), createZstdDecompress(), async (chunks) => {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        let from = 0
        for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
          const line = chunk.subarray(from, end)
          onLine(rest.length === 0 ? line : Buffer.concat([rest, line]))
          rest = Buffer.alloc(0)
          from = end + 1
        }
        if (from < chunk.length) rest = Buffer.concat([rest, chunk.subarray(from)])
        if (rest.length > LINE_BYTES_MAX) throw problem('has a line that is too long')
      }
      if (rest.length > 0) onLine(rest)
    })
  } catch (error) {
    if (error instanceof RecordingProblem) throw error
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT') throw problem('is not in the folder of recordings', error)
    throw problem(`cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`, error)
  }
}
