import type { AccessLog } from '@svc/edge'
import { batchedOutput, openLog } from '@svc/service'

/** Maximum time that a line waits in an incomplete block. */
const FLUSH_MS = 500

export interface AccessLogFile {
  readonly write: AccessLog
  close(): void
}

/**
 * Opens the access log on stdout, with a line of level `info` for each answer. Lines are written in blocks, so that no
 * answer waits for one. Of the successes, only a `share` (0 to 1) is logged; refusals and failures always are.
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
