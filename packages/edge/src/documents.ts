import { createHash } from 'node:crypto'
import { discovery } from './discovery.ts'
import type { DocumentOptions } from './document-options.ts'
import { llmsText } from './llms.ts'
import { openApi } from './openapi.ts'

/** A generated document, printed once at start-up. */
export interface Document {
  readonly path: string
  readonly type: string
  readonly body: Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

/** A document at a path; its ETag follows from its bytes. */
export const document = (path: string, type: string, body: string, headers: Record<string, string> = {}): Document => {
  const bytes = Buffer.from(body)
  return {
    path,
    type,
    body: bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    headers,
  }
}
const json = (path: string, value: unknown, type = 'application/json; charset=utf-8') =>
  document(path, type, JSON.stringify(value))

/** Everything that describes the API to programs, from the same declarations as the API itself. */
export function documentsOf(options: DocumentOptions): Document[] {
  const found = discovery(options)
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
    ],
  }
  const link = { link: '</.well-known/api-catalog>; rel="api-catalog", </openapi.json>; rel="service-desc"' }
  return [
    document('/', 'text/plain; charset=utf-8', llmsText(options), link),
    json('/health', { ok: true }),
    json('/discovery', found),
    json('/.well-known/discovery.json', found),
    json(
      '/.well-known/api-catalog',
      catalog,
      'application/linkset+json;profile="https://www.rfc-editor.org/info/rfc9727"',
    ),
    json('/openapi.json', openApi(options), 'application/vnd.oai.openapi+json;version=3.1'),
    document('/llms.txt', 'text/plain; charset=utf-8', llmsText(options)),
    json(
      '/problems',
      [...options.refusals.values()].map(({ code, status, title, meaning, fix }) => ({
        code,
        status,
        title,
        meaning,
        fix,
      })),
    ),
    ...[...options.refusals.values()].map(({ code, status, title, meaning, fix }) =>
      json(`/problems/${code}`, { code, status, title, meaning, fix }),
    ),
  ]
}
