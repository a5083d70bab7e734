import { pino, type DestinationStream, type Logger } from 'pino'
import { CENSORED, errorFacts, SECRET_NAMES } from './error-facts.ts'

export type Log = Logger

/**
 * Opens a log of JSON lines, by default on stdout. Members that could contain a secret are removed at the first two
 * levels.
 */
export function openLog(service: string, level: string, to: DestinationStream = pino.destination(1)): Log {
  const secret = SECRET_NAMES.map((name) => (name.includes('-') ? `["${name}"]` : name))
  const options = {
    level,
    base: { service },
    serializers: { err: (error: unknown) => (error instanceof Error ? errorFacts(error) : error) },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secret.flatMap((name) => (name.startsWith('[') ? [name, `*${name}`] : [name, `*.${name}`])),
      censor: CENSORED,
    },
  }
  return pino(options, to)
}

/**
 * Returns stdout with writes in blocks of 8 KB, for many lines that need not appear at once. Call `flushSync` before
 * the process ends.
 */
export const batchedOutput = () => pino.destination({ dest: 1, sync: false, minLength: 8 * 1024 })
