import { common } from '@svc/contracts'
import type { SecretCookie } from '@svc/contract'
import type { RawReply } from '@svc/service'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EdgeRefusal } from './problem.ts'
import type { Route } from './routes.ts'

/** Header by which a page asks for the cookie in place of the secret in the body. */
export const COOKIE_HEADER = 'x-svc-session'
const VALUE = /^[A-Za-z0-9_-]{1,500}$/

/** The way of a secret through the edge for one request. */
export interface CookieCarrier {
  /** Members that the cookie brings to the input. */
  readonly input: Readonly<Record<string, unknown>>
  /** Returns the reply without its secret, which the headers of the answer hand to the browser. */
  keep(raw: RawReply, reply: FastifyReply): RawReply
}

/**
 * Returns how the secret of a request travels; null if it travels in the body. Throws the refusal of a request that asks
 * for the cookie from another origin than that of the pages.
 */
export function cookieCarrierOf(route: Route, request: FastifyRequest, webOrigin: string): CookieCarrier | null {
  const { cookie, input } = route.operation
  const asked = request.headers[COOKIE_HEADER]
  if (cookie === undefined || asked === undefined) return null
  if (asked !== 'cookie')
    throw new EdgeRefusal(common.invalidRequest, {
      errors: [
        { pointer: `/header/${COOKIE_HEADER}`, code: 'invalid_value', detail: 'Send "cookie", or omit the header.' },
      ],
    })
  if (request.headers.origin !== webOrigin) throw new EdgeRefusal(common.originRefused)
  return {
    input: Object.hasOwn(input.shape, cookie.member) ? { [cookie.member]: broughtBy(request, cookie) } : {},
    keep: (raw, reply) => {
      if (raw.head.s >= 400) {
        // The secret is worthless from now on.
        if (raw.head.s === 401) removeCookie(reply, cookie)
        return raw
      }
      if (cookie.ends === true) {
        removeCookie(reply, cookie)
        return raw
      }
      const { [cookie.member]: secret, ...rest } = JSON.parse(raw.body.toString('utf8')) as Record<string, unknown>
      if (typeof secret !== 'string' || !VALUE.test(secret))
        throw new Error(`${route.operation.service}.${route.operation.key} answered no ${cookie.member} for its cookie`)
      setCookie(reply, cookie, secret, cookie.maxAgeSec)
      return { head: raw.head, body: Buffer.from(JSON.stringify(rest)) }
    },
  }
}

function broughtBy({ headers }: FastifyRequest, { name, sign }: SecretCookie): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  if (value === undefined || !VALUE.test(value))
    throw new EdgeRefusal(common.unauthenticated, {
      detail: `The request brings no cookie ${name}.`,
      members: { fix: 'Sign in with POST /auth/wallet/session and the header X-SVC-Session: cookie.' },
      headers: { 'set-cookie': signOf(sign, 0) },
    })
  return value
}

const removeCookie = (reply: FastifyReply, cookie: SecretCookie) => setCookie(reply, cookie, '', 0)

function setCookie(reply: FastifyReply, { name, path, sign }: SecretCookie, value: string, maxAgeSec: number): void {
  const secret = `${name}=${value}; Path=${path}; Max-Age=${maxAgeSec}; HttpOnly; Secure; SameSite=Strict`
  void reply.header('set-cookie', [secret, signOf(sign, maxAgeSec)])
}

const signOf = ({ name, path }: SecretCookie['sign'], maxAgeSec: number) =>
  `${name}=${maxAgeSec === 0 ? '' : '1'}; Path=${path}; Max-Age=${maxAgeSec}; Secure; SameSite=Strict`
