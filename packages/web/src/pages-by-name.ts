import type { ComponentType } from 'react'
import { lazyPage } from './lib/lazy-page.ts'
import type { PageName } from './routes.ts'

/** The code of every page, each a file of its own. */
export const pagesByName: Readonly<Record<PageName, ComponentType<object>>> = {
  home: lazyPage(() => import('./pages/home/home.tsx')),
  start: lazyPage(() => import('./pages/start/start.tsx')),
  mandates: lazyPage(() => import('./pages/mandates/mandates.tsx')),
  mandate: lazyPage(() => import('./pages/mandate/mandate.tsx')),
  statement: lazyPage(() => import('./pages/statement/statement.tsx')),
  hall: lazyPage(() => import('./pages/hall/hall.tsx')),
  'agent-record': lazyPage(() => import('./pages/agent-record/agent-record.tsx')),
  markets: lazyPage(() => import('./pages/markets/markets.tsx')),
  token: lazyPage(() => import('./pages/markets/token.tsx')),
  deposit: lazyPage(() => import('./pages/deposit/deposit.tsx')),
  agent: lazyPage(() => import('./pages/agent/agent.tsx')),
  trade: lazyPage(() => import('./pages/trade/trade.tsx')),
  status: lazyPage(() => import('./pages/status/status.tsx')),
}
