import { pino, type Logger } from 'pino'

export type Log = Logger

/** JSON lines on stdout; members that could carry a secret are cut out wherever they appear at the first two levels. */
export function openLog(service: string, level: string): Log {
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
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secret.flatMap((name) => (name.startsWith('[') ? [name, `*${name}`] : [name, `*.${name}`])),
      censor: '[secret]',
    },
  })
}
