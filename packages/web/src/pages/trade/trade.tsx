import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'wouter'
import { defineWords } from '../../i18n/index.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { OwnerOnly } from '../../parts/owner-only/owner-only.tsx'
import { Page } from '../../parts/page/page.tsx'
import { WalletBanner } from '../../parts/wallet-banner/wallet-banner.tsx'
import { pages } from '../../routes.ts'
import styles from './trade.module.css'
import { Watch } from './watch.tsx'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))
const Manual = lazy(() => import('./manual.tsx'))
const DelegationLink = lazy(() => import('./delegation-link.tsx'))
const TABS = ['watch', 'manual', 'link'] as const
type Tab = (typeof TABS)[number]

/** Watch the markets, trade by hand, and link what lets orders be signed. */
export default function Trade() {
  const words = useWords()
  const [search, setSearch] = useSearchParams()
  const asked = search.get('tab')
  const tab: Tab = TABS.find((one) => one === asked) ?? 'watch'
  const market = search.get('market')
  const choose = (id: string) => setSearch({ tab: 'manual', market: id })
  return (
    <Page title={words.title}>
      <WalletBanner />
      <nav className={styles['tabs']} aria-label={words.tabs.label}>
        {TABS.map((one) => (
          <Link
            key={one}
            href={`${pages.trade}?tab=${one}${market === null ? '' : `&market=${encodeURIComponent(market)}`}`}
            className={one === tab ? `${styles['tab']} ${styles['here']}` : styles['tab']}
            aria-current={one === tab ? 'page' : undefined}
          >
            {words.tabs[one]}
          </Link>
        ))}
      </nav>
      {tab === 'watch' && <Watch words={words} onChoose={choose} />}
      {tab === 'manual' && (
        <OwnerOnly why={words.signedOut}>
          <Suspense fallback={<Bones lines={[1, 0.6, 0.8]} rem={4} />}>
            <Manual words={words} market={market} onChoose={choose} />
          </Suspense>
        </OwnerOnly>
      )}
      {tab === 'link' && (
        <OwnerOnly why={words.signedOut}>
          <Suspense fallback={<Bones lines={[1, 1, 1, 1]} rem={3} />}>
            <DelegationLink words={words} />
          </Suspense>
        </OwnerOnly>
      )}
    </Page>
  )
}
