import { useState } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Field } from '../../parts/field/field.tsx'
import { Read } from '../../parts/read/read.tsx'
import { EnforcerTag } from '../../parts/tag/tag.tsx'
import { groupsOf, type MarketGroup } from './market-groups.ts'
import styles from './named-markets.module.css'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** Markets of a group that stand at once. */
const SHOWN = 8
/** From so many markets on a search helps. */
const SEARCH_FROM = 12

/** The markets that a mandate may name, by status, each with who enforces the limits. */
export function NamedMarkets() {
  const words = useWords()
  const read = useRead('GET /hub/markets', {}, { every: every.seldom })
  const [search, setSearch] = useState('')
  return (
    <Card title={words.named}>
      <p className={styles['lead']}>{words.namedLead}</p>
      <Read of={read}>
        {({ items }) => (
          <>
            {items.length >= SEARCH_FROM && (
              <Field
                label={words.find}
                type="search"
                value={search}
                onChange={setSearch}
                placeholder={words.find}
                labelTold
              />
            )}
            {items.length === 0 && <Empty>{words.noMarkets}</Empty>}
            {items.length > 0 && groupsOf(items, search).length === 0 && <p role="status">{words.noneFound}</p>}
            {groupsOf(items, search).map((group) => (
              <Group key={group.status} group={group} />
            ))}
          </>
        )}
      </Read>
    </Card>
  )
}

function Group({ group: { status, markets } }: { readonly group: MarketGroup }) {
  const words = useWords()
  const [all, setAll] = useState(false)
  const shown = all ? markets : markets.slice(0, SHOWN)
  return (
    <section className={styles['group']}>
      <h3>
        {words.statuses[status]} <span className={styles['lead']}>{words.statusLead[status]}</span>
      </h3>
      <ul className={styles['markets']}>
        {shown.map((market) => (
          <li key={market.market_id} title={market.market_id}>
            <span className={styles['title']}>
              <bdi>{market.title}</bdi>
            </span>
            <EnforcerTag by={market.enforced_by} />
            <span className={styles['facts']}>
              <bdi>{market.venue}</bdi>
              {' · '}
              {market.min_order_usdc === null ? words.noMinimum : words.minimum(market.min_order_usdc)}
              {market.calls.length > 0 && ` · ${words.calls(String(market.calls.length))}`}
              {market.exit_adapter === null && ` · ${words.unpriced}`}
            </span>
          </li>
        ))}
      </ul>
      {markets.length > shown.length && (
        <Button kind="text" size="s" onClick={() => setAll(true)}>
          {words.showAll(String(markets.length))}
        </Button>
      )}
    </section>
  )
}
