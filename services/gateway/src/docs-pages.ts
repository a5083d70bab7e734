import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Refusal } from '@svc/contract'
import { document, type Document } from '@svc/edge'
import { Marked } from 'marked'

const METHOD = fileURLToPath(new URL('../../../docs/method/', import.meta.url))
const HTML = 'text/html; charset=utf-8'

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--line:#dfe4ea;--paper:#fff;--tint:#f5f7f9;--link:#0b5cad}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#9aa6b5;--line:#2c3541;--paper:#12171e;--tint:#1a212a;--link:#7db8f5}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI","Noto Sans KR",sans-serif}
.frame{display:grid;grid-template-columns:14rem minmax(0,54rem);gap:3rem;max-width:73rem;margin:0 auto;padding:2rem 1.25rem 5rem}
nav{position:sticky;top:2rem;align-self:start;font-size:.94rem}
nav b{display:block;margin:1.1rem 0 .3rem;color:var(--soft);font-weight:600}
nav a{display:block;padding:.15rem 0;color:inherit;text-decoration:none}
nav a:hover,main a:hover{text-decoration:underline}
nav a[aria-current]{color:var(--link);font-weight:600}
main a{color:var(--link);text-decoration:none}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 1rem}h2{font-size:1.25rem;margin:2.2rem 0 .6rem}
code{background:var(--tint);border-radius:4px;padding:.1em .3em;font-size:.9em}
.wide{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}th{color:var(--soft)}
@media(max-width:56rem){.frame{grid-template-columns:minmax(0,1fr);gap:1.5rem}nav{position:static}}
`
const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}

interface Page {
  readonly path: string
  readonly title: string
  readonly html: string
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * Renders Markdown of this repository as HTML: links between pages point to the rendered pages, and wide tables scroll.
 */
const markdown = new Marked({
  walkTokens: (token) => {
    if (token.type !== 'link') return
    const found = /^(?:\.\/)?([a-z-]+)\.md(#.*)?$/i.exec(String(token['href']))
    if (found !== null) token['href'] = pathOf(found[1] ?? '') + (found[2] ?? '')
  },
})

const pathOf = (name: string) => (name === 'README' ? '/ui/docs/method' : `/ui/docs/method/${name}`)

async function methodPages(): Promise<Page[]> {
  const names = (await readdir(METHOD)).filter((name) => name.endsWith('.md')).toSorted()
  const pages = names.map(async (file): Promise<Page> => {
    const text = await readFile(`${METHOD}${file}`, 'utf8')
    const html = (await markdown.parse(text))
      .replaceAll('<table>', '<div class="wide"><table>')
      .replaceAll('</table>', '</table></div>')
    const name = file.slice(0, -'.md'.length)
    return {
      path: pathOf(name),
      title: name === 'README' ? 'How figures are made' : (/^# (.+)$/m.exec(text)?.[1] ?? name),
      html,
    }
  })
  return Promise.all(pages)
}

function errorsPage(refusals: ReadonlyMap<string, Refusal>): Page {
  const rows = [...refusals.values()]
    .toSorted((a, b) => a.status - b.status || a.code.localeCompare(b.code))
    .map(
      ({ code, status, meaning, fix }) =>
        `<tr id="${code}"><td>${status}</td><td><code>${code}</code></td><td>${escaped(meaning)}</td><td>${escaped(fix)}</td></tr>`,
    )
  const html = `<h1>Errors</h1><p>Every failure is <code>application/problem+json</code> with one of these codes, which never change their meaning.</p><div class="wide"><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th><th>What to do</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
  return { path: '/ui/docs/errors', title: 'Errors', html }
}

const START: Page = {
  path: '/ui/docs',
  title: 'Documentation',
  html: `<h1>Documentation</h1>
<p>A platform where programs earn, learn and trade inside limits that people set.</p>
<h2>The API</h2>
<ul><li><a href="/openapi.json">OpenAPI 3.1 document</a>: every route, its input, answers and refusals</li>
<li><a href="/llms.txt">llms.txt</a>: the same in brief, for programs that read</li>
<li><a href="/discovery">Discovery</a>: addresses and first steps</li>
<li><a href="/ui/docs/errors">Errors</a>: every code, what it means and what to do</li></ul>
<h2>The method</h2>
<p><a href="/ui/docs/method">How every figure is made</a>: grades, delisting risk, alerts, arbitrage; with formulas, evidence, and what each must not be used for.</p>
<h2>What is public</h2>
<p>The chain shows every vault with the wallets of its owner and its agent, its limits, and every deposit, trade and withdrawal with its amount, with this platform or without it. <a href="/ui/docs/method/hall">What the Hall adds</a>: names of agents, days, counts and indices; no wallet, owner or amount.</p>`,
}

/** Returns the documentation as HTML pages, rendered once at the start. */
export async function docsPages(refusals: ReadonlyMap<string, Refusal>): Promise<Document[]> {
  const method = await methodPages()
  const pages = [START, errorsPage(refusals), ...method]
  const link = (page: Page, current: Page) =>
    `<a href="${page.path}"${page === current ? ' aria-current="page"' : ''}>${escaped(page.title)}</a>`
  const print = (page: Page) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escaped(page.title)}</title><style>${STYLE}</style></head><body><div class="frame"><nav>${pages
      .slice(0, 2)
      .map((one) => link(one, page))
      .join(
        '',
      )}<b>Method</b>${method.map((one) => link(one, page)).join('')}</nav><main>${page.html}</main></div></body></html>`
  return pages.map((page) => document(page.path, HTML, print(page), HEADERS))
}

/** Returns redirects from paths that people type, without `/ui` or with a slash at the end, to the pages. */
export const docsRedirects = (pages: readonly Document[]): ReadonlyMap<string, string> =>
  new Map([
    ['/docs', '/ui/docs'],
    ['/docs/', '/ui/docs'],
    ...pages.map(({ path }): [string, string] => [`${path}/`, path]),
  ])
