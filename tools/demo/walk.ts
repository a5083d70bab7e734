import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createClient, signIn, type Session } from '@svc/sdk'
import type { LocalAccount } from 'viem'
import {
  credentialHeaders,
  methodOf,
  request,
  Surprise,
  type Answer,
  type Credentials,
  type Request,
} from './request.ts'

/** A request of the walk, and what its answer must hold. */
export interface Ask extends Request {
  /** Printed before the request: why this step is taken. */
  readonly note?: string
  /** Prints nothing. */
  readonly quiet?: boolean
  /** Members of the answer to print; default all. */
  readonly show?: readonly string[]
  /** Required values in the answer, by path: `limits.budget_usdc`. */
  readonly expect?: Readonly<Record<string, unknown>>
}

/** A bounded wait; `everyMs` is the pause between two looks. */
export interface Wait {
  /** Default ten minutes: only what hangs takes this long. */
  readonly timeoutMs?: number
  readonly everyMs?: number
  /** Printed if the wait is not over at once. */
  readonly note?: string
}

const tty = process.stdout.isTTY
const paint = (code: number, text: string) => (tty ? `\u001b[${code}m${text}\u001b[0m` : text)
const faint = (text: string) => paint(2, text)
const verdict = (good: boolean, text: string) => paint(good ? 32 : 33, text)
const SECRET = new Set(['api_key', 'token', 'refresh_token', 'signature'])
const LINES_MAX = 14
const HANG_MS = 600_000
const WIDTH = 110
/** Calldata: hex that is longer than a hash. */
const CALLDATA = /^0x[0-9a-fA-F]{65,}$/
/** Hex that is longer than an address. */
const LONG_HEX = /0x[0-9a-fA-F]{41,}/g

function printable(name: string, value: unknown): unknown {
  if (name === 'verdicts') return 'one for each clause'
  if (typeof value !== 'string') return value
  if (SECRET.has(name)) return `${value.slice(0, 8)}…`
  return CALLDATA.test(value) ? `${value.slice(0, 10)}… (${value.length / 2 - 1} bytes)` : value
}

/** Returns a value as indented JSON of at most `LINES_MAX` lines, without secrets. */
function readable(value: unknown): string {
  const lines = (JSON.stringify(value, printable, 2) ?? '').split('\n')
  const more = lines.length - LINES_MAX
  return (more > 1 ? [...lines.slice(0, LINES_MAX), `… ${more} more lines`] : lines)
    .map((line) => `    ${line}`)
    .join('\n')
}

/** Returns the members of an answer that a step is about, and the number of the others. */
function shown(body: unknown, show: readonly string[] | undefined): unknown {
  if (show === undefined || typeof body !== 'object' || body === null) return body
  const members = Object.fromEntries(Object.entries(body).filter(([name]) => show.includes(name)))
  const more = Object.keys(body).length - Object.keys(members).length
  return more === 0 ? members : { ...members, '…': `${more} more member${more === 1 ? '' : 's'}` }
}

/** Breaks a long text at spaces; short lines and tables stay as they are. */
function wrapped(text: string): string {
  const [, indent = ''] = /^( *(?:\d+\. )?)/.exec(text) ?? []
  const pattern = new RegExp(`(.{1,${WIDTH}})(?: +|$)`, 'g')
  return text.length <= WIDTH ? text : text.replace(pattern, `$1\n  ${' '.repeat(indent.length)}`).trimEnd()
}

/** Returns JSON with big integers as decimals. */
const jsonOf = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))

const memberAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), body)

function mustBe(what: string, found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted))
    throw new Surprise(`${what} is ${jsonOf(found)}, the documents say ${jsonOf(wanted)}`)
}

/**
 * Walks through the API or a chain step by step: prints each step, and throws `Surprise` if an answer is not as documented.
 * `keyed` gives each request with a body an Idempotency-Key, so that it is repeated after an outage.
 */
export function createWalk(baseUrl: string, { keyed = false }: { readonly keyed?: boolean } = {}) {
  let chapters = 0
  let steps = 0
  let at = 'the start'
  const say = (text: string) => console.log(faint(`  ${wrapped(text)}`))
  const step = (title: string) => {
    steps += 1
    at = `step ${steps} (${title})`
    console.log(`  ${paint(36, `${String(steps).padStart(2)}. ${title}`)}`)
  }
  const outcome = (good: boolean, text: string) => console.log(`  → ${verdict(good, text)}`)

  async function ask(path: string, status: number | readonly number[], asked: Ask = {}): Promise<Answer> {
    const { quiet = false, note, show, expect = {} } = asked
    const method = methodOf(asked)
    const started = performance.now()
    const once = keyed && asked.body !== undefined ? { idempotencyKey: randomUUID() } : {}
    const { text, ...answer } = await request(new URL(path, baseUrl), { ...once, ...asked }, (why) =>
      say(`${why}: asking again`),
    )
    const { headers, body } = answer
    if (!quiet) {
      if (note !== undefined) say(note)
      step(`${method} ${path.replaceAll(LONG_HEX, (hex) => `${hex.slice(0, 10)}…`)}`)
      if (asked.body !== undefined) console.log(faint(readable(asked.body)))
      const limit = headers.get('ratelimit')
      const ms = (performance.now() - started).toFixed(0)
      const allowance = limit === null ? '' : faint(`   RateLimit: ${limit}`)
      console.log(`  → ${verdict(answer.status < 400, String(answer.status))} in ${ms} ms${allowance}`)
      console.log(readable(shown(body, show)))
    }
    const documented = [status].flat()
    if (!documented.includes(answer.status))
      throw new Surprise(
        `${method} ${path} answered ${answer.status}, the documents say ${documented.join(' or ')}: ${text.slice(0, 400)}`,
      )
    for (const [member, wanted] of Object.entries(expect)) mustBe(member, memberAt(body, member), wanted)
    return answer
  }

  /** Signs a person in with a wallet, by the SDK; returns the session. */
  async function openSession(wallet: LocalAccount, who: string): Promise<Session> {
    say(`${who} signs in with a wallet: the SDK gets the message, checks that it is for this host, and has it signed.`)
    step('sdk: signIn(client, wallet)')
    const session = await signIn(createClient({ baseUrl }), wallet)
    outcome(true, `session of account ${session.user_id}, until ${session.expires_at}`)
    return session
  }

  return {
    /** Address of the API. */
    baseUrl,
    /** Names the last step that began. */
    at: () => at,
    steps: () => steps,
    say,
    step,
    outcome,
    ask,
    expect: mustBe,
    chapter(title: string): void {
      chapters += 1
      at = `the chapter "${title}"`
      console.log(`\n${paint(1, `── ${chapters}  ${title}`)}`)
    },
    /** Returns `ask` with the credentials of one caller, which returns bodies; each request with a body gets an Idempotency-Key. */
    as:
      (credentials: Credentials) =>
      async (
        path: string,
        status: number | readonly number[],
        asked: Omit<Ask, 'key' | 'token'> = {},
      ): Promise<Answer['body']> => {
        const once = asked.body === undefined ? {} : { idempotencyKey: randomUUID() }
        return (await ask(path, status, { ...once, ...asked, ...credentials })).body
      },
    /** Sends a request and then repeats it with the same Idempotency-Key: the second answer must be the first one. */
    async askTwice(path: string, status: number, asked: Ask, note: string): Promise<Answer> {
      const keyed = { ...asked, idempotencyKey: randomUUID() }
      const first = await ask(path, status, keyed)
      const second = await ask(path, status, { ...keyed, note })
      mustBe('Idempotent-Replayed', second.headers.get('idempotent-replayed'), 'true')
      mustBe('the replayed answer', second.body, first.body)
      return first
    },
    openSession,
    /** Signs a person in with a wallet; returns the token. */
    signIn: async (wallet: LocalAccount, who: string): Promise<string> => (await openSession(wallet, who)).token,
    /** Downloads a file; its content type and digest must be as documented. */
    async download(path: string, credentials: Credentials, type: string): Promise<Buffer> {
      const answer = await fetch(new URL(path, baseUrl), {
        headers: { ...credentialHeaders(credentials), accept: type },
        signal: AbortSignal.timeout(300_000),
      })
      const file = Buffer.from(await answer.arrayBuffer())
      const found = answer.headers.get('content-type')
      step(`GET ${path} (Accept: ${type})`)
      outcome(answer.ok, `${answer.status}, ${file.length} bytes, ${found}`)
      const digest = `sha-256=:${createHash('sha256').update(file).digest('base64')}:`
      mustBe('the status', answer.status, 200)
      mustBe('the content type', found, type)
      mustBe('Repr-Digest', answer.headers.get('repr-digest'), digest)
      say(`Its SHA-256 is the one in the header Repr-Digest: ${digest}`)
      return file
    },
    /** Waits until `check` returns true; throws `Surprise` with `what` after `timeoutMs`. */
    async until(
      what: string,
      { timeoutMs = HANG_MS, everyMs = 250, note }: Wait,
      check: () => boolean | Promise<boolean>,
    ): Promise<void> {
      const end = Date.now() + timeoutMs
      for (let looks = 0; !(await check()); looks += 1) {
        if (looks === 0 && note !== undefined) say(note)
        if (Date.now() > end) throw new Surprise(`after ${at}: ${what} did not happen within ${timeoutMs / 1000} s`)
        await delay(everyMs)
      }
    },
  }
}

export type Walk = ReturnType<typeof createWalk>
