/** What is told of an error: to the log, and to an operator with its dead letter. */
export interface ErrorFacts {
  readonly type: string
  readonly message: string
  readonly stack?: string
  readonly cause?: ErrorFacts
  /** Codes and names of what failed: see `TOLD`. */
  readonly [fact: string]: unknown
}

/** Further members that are told. Others are left out: errors of a database contain the row and the values of the statement. */
const TOLD = ['code', 'reason', 'constraint', 'table', 'column', 'issues'] as const
/** Bytes of one text, and causes: together they bound what an error may take in the log and in a table to about 30 KB. */
const MESSAGE_BYTES_MAX = 1_500
const STACK_BYTES_MAX = 3_000
const FACT_BYTES_MAX = 1_000
const CAUSES_MAX = 4

/** Names of members that contain a secret. */
export const SECRET_NAMES = [
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
  'x-svc-user-key',
] as const
export const CENSORED = '[secret]'

/** Texts that are or contain a secret wherever they stand, and the part of them that may stay. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // The value of a named member, as JSON, a query or a header writes it.
  [
    new RegExp(
      `((?:${SECRET_NAMES.join('|')})["']?\\s*[=:]\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|'[^']*'|(?:bearer\\s+)?[^\\s,;&}\\]]+)`,
      'gi',
    ),
    `$1${CENSORED}`,
  ],
  [/(bearer\s+)[\w.~+/=-]+/gi, `$1${CENSORED}`],
  // Credentials in an address.
  [/(\w:\/\/)[^\s/@]+@/g, `$1${CENSORED}@`],
  [/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, CENSORED],
  [/\bS[ACNOUX][A-Z2-7]{56}\b/g, CENSORED],
  // A key or a seed has no prefix, a signature is longer than a hash.
  [/(?<![\da-fx])[\da-f]{64,}/gi, CENSORED],
  [/0x[\da-f]{65,}/gi, CENSORED],
]

// Control characters could rewrite the terminal of the operator that reads them.
const CONTROLS = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu

/** Returns a text without secrets and control characters other than line feeds, of at most `bytesMax` bytes of UTF-8. */
export function redacted(text: string, bytesMax: number): string {
  // What is far beyond the bound is cut first: an expression over megabytes would hold the process up.
  const kept = SECRETS.reduce((one, [found, stays]) => one.replace(found, stays), text.slice(0, 4 * bytesMax))
  const clean = kept.replace(CONTROLS, ' ')
  const bytes = Buffer.from(clean)
  if (bytes.length <= bytesMax) return clean
  return `${bytes
    .subarray(0, bytesMax - 3)
    .toString()
    .replace(/\ufffd+$/, '')}…`
}

/** Returns what is told of an error and of its causes, without secrets and bounded in bytes. Anything may be thrown. */
export function errorFacts(error: unknown, causes: number = CAUSES_MAX): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: redacted(String(error), MESSAGE_BYTES_MAX) }
  const { cause } = error
  // V8 begins the stack with the message.
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ +at /.test(line))
  const facts = TOLD.flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    return value === undefined ? [] : [[name, told(value)] as const]
  })
  return {
    type: redacted(error.name === 'Error' ? error.constructor.name : error.name, FACT_BYTES_MAX),
    message: redacted(error.message, MESSAGE_BYTES_MAX),
    ...Object.fromEntries(facts),
    stack: redacted(frames.join('\n'), STACK_BYTES_MAX),
    ...(cause === undefined || cause === null || causes === 0 ? {} : { cause: errorFacts(cause, causes - 1) }),
  }
}

const told = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' || value === null
    ? value
    : redacted(typeof value === 'string' ? value : (JSON.stringify(value) ?? typeof value), FACT_BYTES_MAX)

/** Returns the facts of an error as lines for a person, the causes below it. */
export function errorLines({ type, message, stack = '', cause, ...facts }: ErrorFacts): readonly string[] {
  const more = Object.entries(facts).map(([name, value]) => ` ${name}=${String(value)}`)
  return [
    `${type}: ${message}${more.join('')}`,
    ...stack.split('\n').filter((line) => line !== ''),
    ...(cause === undefined ? [] : errorLines(cause).map((line, at) => (at === 0 ? `caused by ${line}` : line))),
  ]
}
