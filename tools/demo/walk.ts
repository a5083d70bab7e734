import { isDeepStrictEqual } from 'node:util'

/** One answer, as the walk looks at it. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // The walk reads whatever an answer holds and fails loudly when it is not there.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface Ask {
  readonly method?: string
  readonly body?: unknown
  readonly key?: string
  readonly token?: string
  readonly idempotencyKey?: string
  /** Printed instead of nothing: why this step is taken. */
  readonly note?: string
  /** Not printed. */
  readonly quiet?: boolean
}

/** The platform answered something else than the documents say. */
export class Surprise extends Error {
  override readonly name = 'Surprise'
}

const tty = process.stdout.isTTY
const paint = (code: number, text: string) => (tty ? `\u001b[${code}m${text}\u001b[0m` : text)
const SECRET = new Set(['api_key', 'token', 'refresh_token', 'signature'])
const MAX_LINES = 14

function readable(value: unknown): string {
  const text =
    JSON.stringify(
      value,
      (name, inner: unknown) => (SECRET.has(name) && typeof inner === 'string' ? `${inner.slice(0, 8)}…` : inner),
      2,
    ) ?? ''
  const lines = text.split('\n')
  const shown =
    lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`] : lines
  return shown.map((line) => `    ${line}`).join('\n')
}

/** JSON with big integers as decimals. */
const jsonOf = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))

/** Goes step by step through the API or a chain, prints what happens, and holds each answer against what it should be. */
export function createWalk(baseUrl: string) {
  let step = 0
  const printStep = (title: string) => {
    step += 1
    console.log(`  ${paint(36, `${String(step).padStart(2)}. ${title}`)}`)
  }
  return {
    chapter(title: string): void {
      console.log(`\n${paint(1, `── ${title}`)}`)
    },
    say(text: string): void {
      console.log(paint(2, `  ${text}`))
    },
    step: printStep,
    outcome(good: boolean, text: string): void {
      console.log(`  → ${paint(good ? 32 : 33, text)}`)
    },
    async ask(path: string, expected: number, ask: Ask = {}): Promise<Answer> {
      const method = ask.method ?? (ask.body === undefined ? 'GET' : 'POST')
      const headers: Record<string, string> = {}
      if (ask.body !== undefined) headers['content-type'] = 'application/json'
      if (ask.key !== undefined) headers['x-svc-user-key'] = ask.key
      if (ask.token !== undefined) headers['authorization'] = `Bearer ${ask.token}`
      if (ask.idempotencyKey !== undefined) headers['idempotency-key'] = ask.idempotencyKey
      const started = performance.now()
      const response = await fetch(new URL(path, baseUrl), {
        method,
        headers,
        ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) }),
        signal: AbortSignal.timeout(15_000),
      })
      const text = await response.text()
      const body: unknown =
        text === '' ? null : response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text
      if (ask.quiet !== true) {
        if (ask.note !== undefined) console.log(paint(2, `  ${ask.note}`))
        const ms = (performance.now() - started).toFixed(0)
        printStep(`${method} ${path}`)
        if (ask.body !== undefined) console.log(paint(2, readable(ask.body)))
        console.log(
          `  → ${paint(response.status < 400 ? 32 : 33, String(response.status))} in ${ms} ms${response.headers.has('ratelimit') ? paint(2, `   RateLimit: ${response.headers.get('ratelimit')}`) : ''}`,
        )
        console.log(readable(body))
      }
      if (response.status !== expected)
        throw new Surprise(
          `${method} ${path} answered ${response.status}, the documents say ${expected}: ${text.slice(0, 400)}`,
        )
      return { status: response.status, headers: response.headers, body }
    },
    expect(what: string, found: unknown, wanted: unknown): void {
      if (!isDeepStrictEqual(found, wanted))
        throw new Surprise(`${what} is ${jsonOf(found)}, the documents say ${jsonOf(wanted)}`)
    },
    async until(what: string, timeoutMs: number, check: () => Promise<boolean>): Promise<void> {
      const end = Date.now() + timeoutMs
      while (!(await check())) {
        if (Date.now() > end) throw new Surprise(`${what} did not happen within ${timeoutMs} ms`)
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    },
    steps: () => step,
  }
}

export type Walk = ReturnType<typeof createWalk>
