import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { credentialsOf, methodOf, request, Surprise, type Answer, type Request } from './request.ts'

export interface Ask extends Request {
  /** Printed instead of nothing: why this step is taken. */
  readonly note?: string
  /** Not printed. */
  readonly quiet?: boolean
  /** Members of the answer that are printed; all of them unless given. */
  readonly show?: readonly string[]
}

/** A file that is asked for. */
export interface Download extends Pick<Ask, 'key' | 'token' | 'note'> {
  /** Content type that the answer must have. */
  readonly type: string
}

const tty = process.stdout.isTTY
const paint = (code: number, text: string) => (tty ? `\u001b[${code}m${text}\u001b[0m` : text)
const SECRET = new Set(['api_key', 'token', 'refresh_token', 'signature'])
const MAX_LINES = 14
/** Calldata that is longer than a hash. */
const WHOLE_CALL = /^0x[0-9a-fA-F]{65,}$/
/** Hex that is longer than an address. */
const LONG_HEX = /0x[0-9a-fA-F]{41,}/g

function shortText(name: string, text: string): string {
  if (SECRET.has(name)) return `${text.slice(0, 8)}…`
  return WHOLE_CALL.test(text) ? `${text.slice(0, 10)}… (${text.length / 2 - 1} bytes)` : text
}

function readable(value: unknown): string {
  const text =
    JSON.stringify(
      value,
      (name, inner: unknown) => {
        if (name === 'verdicts') return 'one for each clause'
        return typeof inner === 'string' ? shortText(name, inner) : inner
      },
      2,
    ) ?? ''
  const lines = text.split('\n')
  const shown =
    lines.length > MAX_LINES + 1 ? [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`] : lines
  return shown.map((line) => `    ${line}`).join('\n')
}

/** The members of an answer that a step is about. */
function shownOf(body: unknown, show: readonly string[] | undefined): unknown {
  if (show === undefined || typeof body !== 'object' || body === null) return body
  const chosen = show.filter((name) => name in body)
  const more = Object.keys(body).length - chosen.length
  const shown = Object.fromEntries(chosen.map((name) => [name, (body as Readonly<Record<string, unknown>>)[name]]))
  return more === 0 ? shown : { ...shown, '…': `${more} more member${more === 1 ? '' : 's'}` }
}

/** JSON with big integers as decimals. */
const jsonOf = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))

function mustBe(what: string, found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted))
    throw new Surprise(`${what} is ${jsonOf(found)}, the documents say ${jsonOf(wanted)}`)
}

/** Goes step by step through the API or a chain, prints what happens, and holds each answer against what it should be. */
export function createWalk(baseUrl: string) {
  let step = 0
  let at = 'the start'
  const printStep = (title: string) => {
    step += 1
    at = `step ${step} (${title})`
    console.log(`  ${paint(36, `${String(step).padStart(2)}. ${title}`)}`)
  }
  return {
    /** Names the last step that was begun. */
    at: () => at,
    chapter(title: string): void {
      at = `the chapter "${title}"`
      console.log(`\n${paint(1, `── ${title}`)}`)
    },
    say(text: string): void {
      console.log(paint(2, `  ${text}`))
    },
    step: printStep,
    outcome(good: boolean, text: string): void {
      console.log(`  → ${paint(good ? 32 : 33, text)}`)
    },
    async ask(path: string, expected: number | readonly number[], ask: Ask = {}): Promise<Answer> {
      const method = methodOf(ask)
      const started = performance.now()
      const { text, ...answer } = await request(new URL(path, baseUrl), ask, (why) =>
        console.log(paint(33, `  ${why}: asked again`)),
      )
      const { status, headers, body } = answer
      if (ask.quiet !== true) {
        if (ask.note !== undefined) console.log(paint(2, `  ${ask.note}`))
        const ms = (performance.now() - started).toFixed(0)
        printStep(`${method} ${path.replaceAll(LONG_HEX, (hex) => `${hex.slice(0, 10)}…`)}`)
        if (ask.body !== undefined) console.log(paint(2, readable(ask.body)))
        console.log(
          `  → ${paint(status < 400 ? 32 : 33, String(status))} in ${ms} ms${headers.has('ratelimit') ? paint(2, `   RateLimit: ${headers.get('ratelimit')}`) : ''}`,
        )
        console.log(readable(shownOf(body, ask.show)))
      }
      const documented = [expected].flat()
      if (!documented.includes(status))
        throw new Surprise(
          `${method} ${path} answered ${status}, the documents say ${documented.join(' or ')}: ${text.slice(0, 400)}`,
        )
      return answer
    },
    /** Gets a file and holds its type and its digest against the headers of the answer. */
    async download(path: string, { type, note, ...credentials }: Download): Promise<Buffer> {
      if (note !== undefined) console.log(paint(2, `  ${note}`))
      const answer = await fetch(new URL(path, baseUrl), {
        headers: { ...credentialsOf(credentials), accept: type },
        signal: AbortSignal.timeout(30_000),
      })
      const file = Buffer.from(await answer.arrayBuffer())
      printStep(`GET ${path} (Accept: ${type})`)
      const found = answer.headers.get('content-type')
      console.log(`  → ${paint(answer.ok ? 32 : 33, `${answer.status}, ${file.length} bytes, ${found}`)}`)
      const digest = `sha-256=:${createHash('sha256').update(file).digest('base64')}:`
      for (const [what, is, documented] of [
        ['the status', answer.status, 200],
        ['the content type', found, type],
        ['Repr-Digest', answer.headers.get('repr-digest'), digest],
      ] as const)
        mustBe(what, is, documented)
      console.log(paint(2, `  Its SHA-256 is the one of the header Repr-Digest: ${digest}`))
      return file
    },
    expect: mustBe,
    async until(what: string, timeoutMs: number, check: () => Promise<boolean>, everyMs = 250): Promise<void> {
      const end = Date.now() + timeoutMs
      while (!(await check())) {
        if (Date.now() > end) throw new Surprise(`${what} did not happen within ${timeoutMs} ms`)
        await new Promise((resolve) => setTimeout(resolve, everyMs))
      }
    },
    steps: () => step,
  }
}

export type Walk = ReturnType<typeof createWalk>
