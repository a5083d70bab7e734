/**
 * Every page of the product with its path: the browser routes by this list, and the gateway serves these paths and no
 * others. A name in a path stands for one segment.
 */
export const pages = {
  home: '/ui',
  start: '/ui/start',
  mandates: '/ui/mandates',
  mandate: '/ui/mandates/:id',
  statement: '/ui/mandates/:id/statement',
  hall: '/ui/hall',
  'agent-record': '/ui/hall/:agent',
  markets: '/ui/markets',
  token: '/ui/markets/:token',
  deposit: '/ui/deposit',
  agent: '/ui/agent',
  trade: '/ui/trade',
  status: '/ui/status',
} as const satisfies Readonly<Record<string, `/ui${string}`>>

export type PageName = keyof typeof pages

/** Folder of files whose name contains their digest. */
export const ASSETS = '/ui/assets/'

/** Returns the address of a page with its names filled in, encoded. */
export function addressOf(page: PageName, names: Readonly<Record<string, string>> = {}): string {
  return pages[page].replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? ''))
}
