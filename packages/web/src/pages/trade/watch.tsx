import { every } from '../../lib/polling.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Read, Stale } from '../../parts/read/read.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { PricesNote } from './prices-note.tsx'
import { ProductsTable } from './products-table.tsx'
import { SessionRibbon } from './session-dot.tsx'
import { provenanceOf } from './ticket.ts'
import type { Words } from './words.ts'

/** Prices, funding and sessions, for everybody. */
export function Watch({ words, onChoose }: { readonly words: Words; readonly onChoose: (market: string) => void }) {
  // A visitor has a thousand calls a day.
  const pace = useSession() === null ? every.slow : every.products
  const products = useRead('GET /ui/trade/products', {}, { every: pace })
  const sessions = useRead('GET /hub/info/sessions', {}, { every: every.board })
  return (
    <>
      <Read of={sessions} bones={<Bones lines={[1]} rem={2.5} />}>
        {({ items }) => <SessionRibbon items={items} words={words} />}
      </Read>
      <Card
        bare
        title={words.watch.title}
        aside={products.data !== undefined && <Ago time={products.data.computed_at} />}
      >
        <Read of={products} bones={<Bones lines={[1, 1, 1, 1, 1, 1]} rem={1.5} />}>
          {(answer) => (
            <>
              <PricesNote of={provenanceOf(answer)} words={words} />
              {answer.stale && <Stale time={answer.computed_at} />}
              <ProductsTable items={answer.items} words={words} onChoose={onChoose} />
            </>
          )}
        </Read>
      </Card>
    </>
  )
}
