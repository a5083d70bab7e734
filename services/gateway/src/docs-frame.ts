import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { document, type Document } from '@svc/edge'

const HTML = 'text/html; charset=utf-8'
const TOKENS = readFileSync(fileURLToPath(import.meta.resolve('@svc/web/tokens.css')), 'utf8')
const ASSETS = fileURLToPath(new URL('../../../packages/web/dist/assets/', import.meta.url))

/** Returns the rule of a font that the built pages have; documentation without them uses the fonts of the system. */
function fontFace(family: string, file: RegExp, weight: string, range = ''): string {
  const name = existsSync(ASSETS) ? readdirSync(ASSETS).find((one) => file.test(one)) : undefined
  if (name === undefined) return ''
  return `@font-face{font-family:'${family}';src:url(/ui/assets/${name}) format('woff2');font-weight:${weight};font-display:swap${range === '' ? '' : `;unicode-range:${range}`}}`
}

const FONTS = [
  fontFace('Instrument Sans Variable', /^instrument-sans-latin-wght-normal.*\.woff2$/, '400 700'),
  fontFace('IBM Plex Mono', /^ibm-plex-mono-latin-400-normal.*\.woff2$/, '400'),
  // Cut to the syllables of the pages and of this documentation.
  fontFace('Hub KR', /^hub-kr.*\.woff2$/, '400 700', 'U+AC00-D7A3'),
].join('')

const STYLE = `${TOKENS}${FONTS}
@layer base{
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;font:1rem/1.6 var(--sans);font-variant-numeric:tabular-nums lining-nums}
:lang(ko){word-break:keep-all}
a{color:var(--act)}a:hover{color:var(--act-hover)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:2px}
.skip{position:absolute;inset-inline-start:-99rem}.skip:focus{inset-inline-start:1rem;inset-block-start:.5rem;background:var(--sheet);padding:.4rem .8rem;z-index:1}
.top{border-bottom:1px solid var(--line)}
.bar{display:flex;align-items:center;gap:.25rem 1.5rem;flex-wrap:wrap;max-width:82rem;min-height:3.75rem;margin:0 auto;padding:.5rem clamp(1rem,4vw,2rem)}
.brand{display:inline-flex;align-items:center;gap:.5rem;color:var(--ink);font-size:1.1rem;font-weight:600;letter-spacing:-.02em;text-decoration:none}
.bar nav{display:flex;flex-wrap:wrap;gap:.1rem .25rem}
.bar nav a{padding:.4rem .6rem;border-radius:var(--r2);color:var(--ink-2);font-weight:500;text-decoration:none}
.bar nav a:hover,.bar nav a[aria-current],.lang:hover{background:var(--sunk);color:var(--ink)}
.lang{display:grid;place-items:center;min-width:2.5rem;min-height:2.5rem;margin-inline-start:auto;border-radius:var(--r2);color:var(--ink);font-size:var(--t-s);font-weight:600;text-decoration:none}
.frame{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:3rem;max-width:82rem;margin:0 auto;padding:2rem clamp(1rem,4vw,2rem) 5rem}
.side{position:sticky;top:1.5rem;align-self:start;max-height:calc(100vh - 3rem);overflow-y:auto;font-size:var(--t-s)}
.list b{display:block;margin:1.25rem 0 .35rem;font-weight:600}.list b:first-child{margin-top:0}
.list a{display:block;padding:.2rem 0;color:var(--ink-2);text-decoration:none}.list a:hover{color:var(--ink);text-decoration:underline}
.list a[aria-current]{color:var(--act);font-weight:600}
.menu{display:none;border:1px solid var(--line);border-radius:var(--r2);background:var(--sheet)}
.menu summary{padding:.6rem .9rem;font-weight:600;cursor:pointer}.menu .list{padding:0 .9rem .9rem}
main{min-width:0;max-width:54rem}
h1{font-size:var(--t-2xl);font-weight:600;line-height:1.15;letter-spacing:-.022em;margin:0 0 1rem}
h2{font-size:var(--t-xl);font-weight:600;letter-spacing:-.015em;line-height:1.25;margin:2.75rem 0 .75rem}
h3{font-size:var(--t-l);font-weight:600;margin:2rem 0 .5rem}
h1,h2,h3{text-wrap:balance}p,.cards span{text-wrap:pretty}
p,ul,ol,dl{margin:0 0 1rem}li{margin:.25rem 0}
/* A slanted letter leans into the space behind it. */
em{margin-inline-end:.1em}
.lead{color:var(--ink-2);font-size:var(--t-l);max-width:42rem}
code{font-family:var(--mono);font-size:.9em;background:var(--sunk);border-radius:var(--r1);padding:.1em .2em;overflow-wrap:anywhere}
pre{overflow-x:auto;margin:0 0 1.25rem;padding:.9rem 1rem;border:1px solid var(--line);border-radius:var(--r2);background:var(--sheet);font-size:var(--t-s);line-height:1.5}
pre code{background:none;padding:0;overflow-wrap:normal}
.wide{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;width:100%;font-size:var(--t-s)}
th,td{text-align:start;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}th{color:var(--ink-2);font-weight:600}
td code{overflow-wrap:normal}.members td:nth-child(3){min-width:8rem}.members td:last-child{min-width:14rem}
.routes{columns:20rem;padding:0;list-style:none;font-size:var(--t-s)}.routes li{margin:0;padding:.2rem 0;break-inside:avoid}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(16rem,100%),1fr));gap:1rem;padding:0;margin:1.5rem 0;list-style:none}
.cards a{display:block;height:100%;padding:1rem 1.1rem;border:1px solid var(--line);border-radius:var(--r3);background:var(--sheet);color:var(--ink);text-decoration:none}
.cards a:hover{border-color:var(--act)}.cards li{margin:0}.cards b{display:block;color:var(--act)}.cards span{display:block;line-height:1.5;color:var(--ink-2);font-size:var(--t-s)}
.entry{padding:1rem 0;border-bottom:1px solid var(--line)}
.entry h3{margin:0 0 .25rem;font-size:1rem}.entry p{margin:0;color:var(--ink-2);font-size:var(--t-s)}
.entry .fix{margin-top:.25rem;color:var(--ink)}
.call{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .6rem;margin:2.5rem 0 .5rem;padding-top:1.25rem;border-top:1px solid var(--line);font-size:1rem}
.call .verb{font:600 var(--t-xs)/1 var(--mono);padding:.3em .5em;border-radius:var(--r1);background:var(--act-wash);color:var(--act)}
.call .path{font:500 1rem/1.4 var(--mono);overflow-wrap:anywhere}
.needs{color:var(--ink-2);font-size:var(--t-s)}.needs a{white-space:nowrap}
.figure{margin:1rem 0 1.5rem;padding:1rem 1.1rem;border:1px solid var(--line);border-radius:var(--r3);background:var(--sheet)}
.figure figcaption{margin-bottom:.75rem;font-weight:600}
.rails{display:grid;gap:.6rem}
.railline{display:grid;grid-template-columns:8.5rem minmax(5rem,1fr) minmax(7rem,auto);align-items:center;gap:.2rem 1rem;font-size:var(--t-s)}
.railline span:last-child{text-align:end;color:var(--ink-2)}
.over,.railline.over span:last-child{color:var(--out);font-weight:600}.asks span:last-child{color:var(--held-ink)}
.railline svg{display:block;width:100%;height:.75rem}
.r-track{fill:var(--sunk)}.r-use{fill:var(--inside)}.r-try{fill:var(--edge)}.over .r-try{fill:var(--out-fill)}.asks .r-try{fill:var(--held)}.r-post{fill:var(--post)}.r-hatch{stroke:var(--out-fill)}
.others{margin:.75rem 0 0;color:var(--ink-2);font-size:var(--t-s)}.others.over{color:var(--out)}
@media(max-width:40rem){.bar nav{order:1;width:100%;margin-inline-start:-.6rem}}
@media(max-width:56rem){.frame{grid-template-columns:minmax(0,1fr);gap:1.25rem;padding-top:1.25rem}.side{display:none}.menu{display:block}
.railline{grid-template-columns:minmax(0,1fr) auto}.railline svg{grid-column:1/-1;grid-row:2}}
}`

/** Rights of a page of the documentation: its own style and fonts, and no script. */
const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}

/** A page of the documentation before it is framed. */
export interface DocsPage {
  readonly path: string
  readonly title: string
  readonly html: string
  readonly lang: 'en' | 'ko'
  /** The same page in the other language; null if there is none. */
  readonly other: string | null
  /** Heading of the group in the list of pages; null: reached by links alone. */
  readonly group: string | null
}

/** Returns text as HTML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const TOP = {
  en: [
    ['/ui/mandates', 'Mandates'],
    ['/ui/hall', 'Hall'],
    ['/ui/markets', 'Markets'],
    ['/ui/trade', 'Trade'],
    ['/ui/docs', 'Docs'],
  ],
  ko: [
    ['/ui/mandates', '위임'],
    ['/ui/hall', '전당'],
    ['/ui/markets', '시장'],
    ['/ui/trade', '거래'],
    ['/ui/docs/ko', '문서'],
  ],
} as const

const MARK =
  '<svg viewBox="0 0 32 32" width="30" height="30" aria-hidden="true"><rect width="32" height="32" rx="7" fill="var(--act)"/><path d="M6 14.5h11v3H6z" fill="var(--on-act)"/><path d="M18 7h3.4v18H18z" fill="var(--on-act)"/><path d="m26.5 11-3.5 3.5m3.5 1-4 4" stroke="var(--on-act)" stroke-width="1.5"/></svg>'

const WORDS = {
  en: { skip: 'Skip to the text', pages: 'Pages', menu: 'All documentation', other: 'KO', otherName: 'KO, Korean' },
  ko: { skip: '본문으로 바로 가기', pages: '페이지', menu: '문서 목록', other: 'EN', otherName: 'EN, 영어로 보기' },
} as const

/** Groups of pages that exist in English alone, as the Korean list calls them. */
const GROUPS_KO: Readonly<Record<string, string>> = {
  'API reference': 'API 레퍼런스 (영어)',
  Method: '수치 산출 방법 (영어)',
}

/** Lets readers without a mouse scroll what is wider than the page. */
const reachable = (html: string): string =>
  html.replaceAll('<pre>', '<pre tabindex="0">').replaceAll('<div class="wide">', '<div class="wide" tabindex="0">')

/** Frames all pages with the bar, the list of pages, and the style. */
export function framed(pages: readonly DocsPage[]): Document[] {
  const listOf = (current: DocsPage) => {
    const shown = pages.filter(({ lang, group }) => group !== null && (lang === current.lang || lang === 'en'))
    const own = shown.filter(({ lang, other }) => lang === current.lang || other === null)
    const groups = Map.groupBy(own, ({ group }) => group ?? '')
    return [...groups]
      .map(
        ([group, members]) =>
          `<b>${escaped((current.lang === 'ko' ? GROUPS_KO[group] : undefined) ?? group)}</b>${members
            .map(
              ({ path, title, lang }) =>
                `<a href="${path}"${lang === current.lang ? '' : ` lang="${lang}" hreflang="${lang}"`}${path === current.path ? ' aria-current="page"' : ''}>${escaped(title)}</a>`,
            )
            .join('')}`,
      )
      .join('')
  }
  return pages.map((page) => {
    const words = WORDS[page.lang]
    const list = listOf(page)
    const links = TOP[page.lang]
      .map(
        ([path, text]) => `<a href="${path}"${text === TOP[page.lang][4][1] ? ' aria-current="true"' : ''}>${text}</a>`,
      )
      .join('')
    const other = `<a class="lang" href="${page.other ?? '/ui/docs/ko'}" hreflang="${page.lang === 'en' ? 'ko' : 'en'}" aria-label="${words.otherName}">${words.other}</a>`
    const html = `<!doctype html><html lang="${page.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escaped(page.title)} · hub</title><link rel="icon" type="image/svg+xml" href="/ui/mark.svg"><link rel="alternate" type="text/plain" href="/ui/llms.txt" title="llms.txt"><style>${STYLE}</style></head><body><a class="skip" href="#content">${words.skip}</a><header class="top"><div class="bar"><a class="brand" href="/ui">${MARK}hub</a><nav aria-label="${words.pages}">${links}</nav>${other}</div></header><div class="frame"><aside class="side"><nav class="list" aria-label="${words.menu}">${list}</nav></aside><details class="menu"><summary>${words.menu}</summary><nav class="list" aria-label="${words.menu}">${list}</nav></details><main id="content">${reachable(page.html)}</main></div></body></html>`
    return document(page.path, HTML, html, HEADERS)
  })
}
