import { common } from '@svc/contracts'
import { EdgeRefusal, type Admission, type ServedPlace } from '@svc/edge'
import type { FastifyInstance } from 'fastify'

interface Options {
  readonly publicUrl: string
  /** Addresses that take reports, the preferred one first. Without one there is no file. */
  readonly contacts: readonly string[]
  readonly now: () => Date
}

const PATH = '/.well-known/security.txt'
const DAY_MS = 86_400_000
/** How long a reader may rely on the file; RFC 9116 recommends less than a year. */
const VALID_DAYS = 90

/** Returns the file of RFC 9116. It expires at an end of a day, so that it reads the same all day. */
function securityText({ publicUrl, contacts, now }: Options): string {
  const expires = new Date((Math.floor(now().getTime() / DAY_MS) + VALID_DAYS) * DAY_MS)
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en, ko',
    `Canonical: ${publicUrl}${PATH}`,
    '',
  ].join('\n')
}

/** Serves where to report what is insecure; 404 while nobody takes reports. */
export function serveSecurityTxt(app: FastifyInstance, admission: Admission, options: Options): ServedPlace[] {
  const onRequest = async (request: Parameters<Admission['countDocument']>[0]) => {
    if (request.state !== null) request.state.route = PATH
    await admission.countDocument(request)
    if (options.contacts.length === 0) throw new EdgeRefusal(common.notFound)
  }
  app.get(PATH, { onRequest }, (_request, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' })
      .type('text/plain; charset=utf-8')
      .send(securityText(options)),
  )
  return [{ path: PATH, methods: ['GET', 'HEAD'] }]
}
