import type { AccessLog } from '@svc/edge'
import { batchedOutput, openLog } from '@svc/service'

/** How long a line waits for its block to fill. */
const FLUSH_MS = 500

export interface AccessLogFile {
  readonly write: AccessLog
  close(): void
}

/**
 * The access log on stdout: a line of level `info` for each answer. Lines are written in blocks, so that an answer waits
 * for none. `share` of the good answers have a line; of refusals and failures each has.
 */
export function openAccessLog(share: number, random: () => number = Math.random): AccessLogFile {
  const output = batchedOutput()
  const flusher = setInterval(() => output.flush(), FLUSH_MS)
  const log = openLog('gateway', 'info', output)
  return {
    write: (line) => {
      if (line.code === null && share < 1 && random() >= share) return
      log.info(line, 'answered')
    },
    close: () => {
      clearInterval(flusher)
      output.flushSync()
    },
  }
}
