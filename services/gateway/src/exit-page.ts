import { readFile } from 'node:fs/promises'
import { document, type Document } from '@svc/edge'

const PAGE = new URL('../../../docs/exit-kit/index.html', import.meta.url)

/**
 * Returns the page with which an owner leaves by the wallet alone, to be saved beside the exit kit: it works as a file too.
 * Its own policy lets it run one script and ask the venue only.
 */
export async function exitPage(): Promise<Document> {
  const html = await readFile(PAGE, 'utf8')
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html)?.[1]
  if (policy === undefined) throw new Error('the exit page states no Content-Security-Policy')
  const headers = { 'content-security-policy': `${policy}; frame-ancestors 'none'` }
  return document('/ui/exit-kit', 'text/html; charset=utf-8', html, headers)
}
