import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Coding } from './accept.ts'
import { deprecationsOf } from './deprecation.ts'
import { discovery } from './discovery.ts'
import type { DocumentOptions, HealthProblem } from './document-options.ts'
import { llmsText } from './llms.ts'
import { openApi, openApiExamples } from './openapi.ts'
import { codesLike } from './registry.ts'

/** Bytes of a document in one content coding, with their ETag. */
export interface Representation {
  readonly body: Buffer
  readonly etag: string
}

/** A generated document; printed and compressed once at the start. */
export interface Document extends Representation {
  readonly path: string
  readonly type: string
  /** Compressed forms; null for a document too short to benefit. */
  readonly coded: Readonly<Record<Coding, Representation>> | null
  readonly headers: Readonly<Record<string, string>>
  /** HTTP status; default 200. */
  readonly status?: number
  /** Returns the document as it is now, if it changes while the process runs. */
  readonly now?: () => Document
}

/** Minimum size for compression; below it compression saves no packet. */
const COMPRESSED_BYTES_MIN = 1_400
/** The largest document, 567 KB, shrinks to 66 KB in 48 ms; the highest level shrinks it to 59 KB in 1.6 s. */
const BROTLI_QUALITY = 7

const represented = (body: Buffer): Representation => ({
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
})

/** Builds a document at a path; its ETags follow from its bytes. */
export const document = (path: string, type: string, text: string, headers: Record<string, string> = {}): Document => {
  const body = Buffer.from(text)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  }
  const coded =
    body.length < COMPRESSED_BYTES_MIN
      ? null
      : { br: represented(brotliCompressSync(body, { params })), gzip: represented(gzipSync(body)) }
  return { path, type, ...represented(body), coded, headers }
}

/** Builds a document from bytes that were compressed before, such as a file of a build. */
export const storedDocument = (
  path: string,
  type: string,
  { body, coded }: { readonly body: Buffer; readonly coded: Readonly<Record<Coding, Buffer>> | null },
  headers: Readonly<Record<string, string>>,
): Document => ({
  path,
  type,
  ...represented(body),
  coded: coded === null ? null : { br: represented(coded.br), gzip: represented(coded.gzip) },
  headers,
})

/** Builds a document that is printed again when the state changes on which it depends. */
function changing(state: () => string, print: () => Document): Document {
  let seen = state()
  let printed = print()
  const now = () => {
    const current = state()
    if (current !== seen) [seen, printed] = [current, print()]
    return printed
  }
  return { ...printed, now }
}

/** Prints `/health`: 200 while nothing is wrong, 503 with the problems otherwise. It is never stored on its way. */
const health = (problems: readonly HealthProblem[]): Document => {
  const body = problems.length === 0 ? { ok: true } : { ok: false, problems }
  const type = 'application/json; charset=utf-8'
  const printed = document('/health', type, JSON.stringify(body), { 'cache-control': 'no-store' })
  return problems.length === 0 ? printed : { ...printed, status: 503 }
}

const json = (path: string, value: unknown, type = 'application/json; charset=utf-8') =>
  document(path, type, JSON.stringify(value))

/** Builds all documents that describe the API to programs, from the declarations of the API itself. */
export function documentsOf(options: DocumentOptions): Document[] {
  const { isToolOn } = options
  const toolsNow = () => options.routes.map((route) => (isToolOn?.(route) === false ? '-' : '+')).join('')
  const problemsNow = options.healthProblems ?? (() => [])
  const found = (path: string) => changing(toolsNow, () => json(path, discovery(options)))
  const catalog = {
    linkset: [
      {
        anchor: options.publicUrl,
        'service-desc': [
          { href: `${options.publicUrl}/openapi.json`, type: 'application/vnd.oai.openapi+json;version=3.1' },
        ],
        'service-doc': [{ href: `${options.publicUrl}/llms.txt`, type: 'text/plain' }],
        'service-meta': [{ href: `${options.publicUrl}/discovery`, type: 'application/json' }],
        status: [{ href: `${options.publicUrl}/health`, type: 'application/json' }],
      },
      ...(options.more ?? []),
    ],
  }
  const problems = [...options.refusals.values()].map((one) => {
    const { code, status, title, meaning, fix } = one
    const same_as = codesLike(one, options.refusals)
    return { code, status, title, meaning, fix, ...(same_as.length === 0 ? {} : { same_as }) }
  })
  const link = { link: '</.well-known/api-catalog>; rel="api-catalog", </openapi.json>; rel="service-desc"' }
  return [
    document('/', 'text/plain; charset=utf-8', llmsText(options), link),
    changing(
      () => JSON.stringify(problemsNow()),
      () => health(problemsNow()),
    ),
    found('/discovery'),
    found('/.well-known/discovery.json'),
    document(
      '/.well-known/api-catalog',
      'application/linkset+json;profile="https://www.rfc-editor.org/info/rfc9727"',
      JSON.stringify(catalog),
      { link: '</.well-known/api-catalog>; rel="api-catalog"' },
    ),
    json('/openapi.json', openApi(options), 'application/vnd.oai.openapi+json;version=3.1'),
    json('/openapi-staff.json', openApi(options, 'staff'), 'application/vnd.oai.openapi+json;version=3.1'),
    json('/openapi-examples.json', openApiExamples(options)),
    document('/llms.txt', 'text/plain; charset=utf-8', llmsText(options)),
    json('/deprecations', deprecationsOf(options.routes)),
    json('/problems', problems),
    ...problems.map((one) => json(`/problems/${one.code}`, one)),
  ]
}
