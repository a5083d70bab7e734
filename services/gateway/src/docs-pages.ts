import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Refusal } from '@svc/contract'
import { document, type Document } from '@svc/edge'
import { Marked } from 'marked'
import { escaped, framed, type DocsPage } from './docs-frame.ts'
import { guidePages } from './docs-guides.ts'
import { referencePages, type ReferenceOptions } from './docs-reference.ts'

const METHOD = fileURLToPath(new URL('../../../docs/method/', import.meta.url))
const SETTINGS = new URL('../../../docs/api/settings.md', import.meta.url)

/** What the documentation is printed from. */
export interface DocsOptions extends ReferenceOptions {
  readonly refusals: ReadonlyMap<string, Refusal>
  readonly publicUrl: string
}

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

const htmlOf = async (text: string) =>
  (await markdown.parse(text))
    .replaceAll('<table>', '<div class="wide"><table>')
    .replaceAll('</table>', '</table></div>')

async function settingsPage(): Promise<DocsPage> {
  const html = await htmlOf(await readFile(SETTINGS, 'utf8'))
  return { path: '/ui/docs/settings', title: 'Settings', html, lang: 'en', other: null, group: 'API reference' }
}

async function methodPages(): Promise<DocsPage[]> {
  const names = (await readdir(METHOD)).filter((name) => name.endsWith('.md')).toSorted()
  const pages = names.map(async (file): Promise<DocsPage> => {
    const text = await readFile(`${METHOD}${file}`, 'utf8')
    // A number and its unit stay on one line.
    const html = (await htmlOf(text)).replaceAll(/(\d) %/g, '$1&nbsp;%')
    const name = file.slice(0, -'.md'.length)
    const title = name === 'README' ? 'How figures are made' : (/^# (.+)$/m.exec(text)?.[1] ?? name)
    return { path: pathOf(name), title, html, lang: 'en', other: null, group: 'Method' }
  })
  return Promise.all(pages)
}

function errorsPage(refusals: ReadonlyMap<string, Refusal>): DocsPage {
  const entries = [...refusals.values()]
    .toSorted((a, b) => a.status - b.status || a.code.localeCompare(b.code))
    .map(
      ({ code, status, meaning, fix }) =>
        `<div class="entry" id="${code}"><h3>${status} <code>${code}</code></h3><p>${escaped(meaning)}</p><p class="fix">${escaped(fix)}</p></div>`,
    )
  const html = `<h1>Errors</h1><p class="lead">Every failure is <code>application/problem+json</code> with one of these codes, which never change their meaning. Below each code: what it means, then what to do.</p>${entries.join('')}`
  return { path: '/ui/docs/errors', title: 'Errors', html, lang: 'en', other: null, group: 'API reference' }
}

/** Returns the documentation as HTML pages, rendered once at the start. */
export async function docsPages(options: DocsOptions): Promise<Document[]> {
  return framed([
    ...guidePages(options.publicUrl),
    ...referencePages(options),
    errorsPage(options.refusals),
    await settingsPage(),
    ...(await methodPages()),
  ])
}

/** Returns the settings as the file of the repository, at the place by which the documents name it. */
export const settingsFile = async (): Promise<Document> =>
  document('/docs/api/settings.md', 'text/markdown; charset=utf-8', await readFile(SETTINGS, 'utf8'))

/** Returns the front door of programs at the place where people look for it: the same bytes. */
export const llmsPage = (documents: readonly Document[]): Document => {
  const llms = documents.find(({ path }) => path === '/llms.txt')
  if (llms === undefined) throw new Error('there is no /llms.txt')
  return document('/ui/llms.txt', llms.type, llms.body.toString('utf8'))
}

/** Returns redirects from paths that people type, without `/ui` or with a slash at the end, to the pages. */
export const docsRedirects = (pages: readonly Document[]): ReadonlyMap<string, string> =>
  new Map([
    ['/docs', '/ui/docs'],
    ['/docs/', '/ui/docs'],
    ...pages.map(({ path }): [string, string] => [`${path}/`, path]),
  ])
