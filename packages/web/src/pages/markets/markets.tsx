import { lazy, Suspense, useMemo } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { defineWords } from '../../i18n/index.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { Page, Stack } from '../../parts/page/page.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import { addressOf, pages } from '../../routes.ts'
import { Alerts } from './alerts.tsx'
import { boardAddressQuery, boardViewOf, TABS, type BoardView } from './board-query.ts'
import styles from './markets.module.css'
import { NamedMarkets } from './named-markets.tsx'
import { Sessions } from './sessions.tsx'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))
const Board = lazy(() => import('./board.tsx'))
const Risk = lazy(() => import('./risk.tsx'))
const Research = lazy(() => import('./research.tsx'))

/** Where a mandate may trade, when, and what the board says of every pair. */
export default function Markets() {
  const words = useWords()
  const query = useSearch()
  const [, navigate] = useLocation()
  const view = useMemo(() => boardViewOf(query), [query])
  const choose = (change: Partial<BoardView>) => {
    const next = boardAddressQuery({ ...view, ...change })
    navigate(next === '' ? pages.markets : `${pages.markets}?${next}`, { replace: true })
  }
  const common = { view, onChoose: choose }
  // Links of former releases named the open row of the board.
  const token = new URLSearchParams(query).get('token')
  if (token) return <Redirect to={addressOf('token', { token })} replace />
  return (
    <Page title={words.title} lead={words.lead}>
      <Stack>
        <div className={styles['upper']}>
          <NamedMarkets />
          <Stack>
            <Alerts />
            <Sessions />
          </Stack>
        </div>
        <div className={styles['tabs']}>
          <Seg
            label={words.tabsLabel}
            value={view.tab}
            options={TABS.map((value) => ({ value, label: words.tabs[value] }))}
            onChange={(tab) => choose({ tab })}
          />
        </div>
        <Suspense fallback={<Bones lines={[1, 1, 1, 1]} rem={2.5} />}>
          {view.tab === 'board' && <Board {...common} />}
          {view.tab === 'risk' && <Risk />}
          {view.tab === 'research' && <Research />}
        </Suspense>
      </Stack>
    </Page>
  )
}
