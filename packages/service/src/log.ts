import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/**
 * Returns the members of an error that are logged. The others are left out: errors of a database contain the row and
 * the values of the statement, such as addresses, hashes of codes and signatures.
 */
function factsOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = stdSerializers.err(error)
  const told = ['code', 'reason', 'constraint', 'issues'] as const
  const facts = told.flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { type, message, stack, ...Object.fromEntries(facts) }
}

/**
 * Opens a log of JSON lines, by default on stdout. Members that could contain a secret are removed at the first two
 * levels.
 */
export function openLog(service: string, level: string, to: DestinationStream = pino.destination(1)): Log {
  const secret = [
    'authorization',
    'cookie',
    'api_key',
    'apiKey',
    'token',
    'refresh_token',
    'signature',
    'password',
    'seed',
    'secret',
    '["x-svc-user-key"]',
  ]
  const options = {
    level,
    base: { service },
    serializers: { err: factsOf },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secret.flatMap((name) => (name.startsWith('[') ? [name, `*${name}`] : [name, `*.${name}`])),
      censor: '[secret]',
    },
  }
  return pino(options, to)
}

/**
 * Returns stdout with writes in blocks of 8 KB, for many lines that need not appear at once. Call `flushSync` before
 * the process ends.
 */
export const batchedOutput = () => pino.destination({ dest: 1, sync: false, minLength: 8 * 1024 })
