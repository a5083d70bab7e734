import { defineWords, useShared } from '../../i18n/index.tsx'
import { shareOf, unitsOf } from '../../lib/money.ts'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Note } from '../../parts/note/note.tsx'
import { RailRow } from '../../parts/rail/rail.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { Clock, distanceText, useNow } from '../../parts/time/time.tsx'
import { LegConnect } from './leg-connect.tsx'
import { LegKit } from './leg-kit.tsx'
import { LegMoney } from './leg-money.tsx'
import { LegPositions } from './leg-positions.tsx'
import type { ActName, Scene } from './scene.ts'
import { cut, isNothing, showSigned, type Leg } from './leg-figures.ts'
import { en, type LegWords } from './leg-words.ts'
import styles from './mandate.module.css'

const useWords = defineWords(en, () => import('./leg-words.ko.ts'))

interface LegCardProps {
  readonly scene: Scene
  readonly onChanged: () => void
  readonly onAct: (act: ActName) => void
}

/** The part of a mandate at the venue: its connection, its money on the way, its positions, and the way out without us. */
export default function LegCard({ scene, onChanged, onAct }: LegCardProps) {
  const words = useWords()
  const sent = { public_id: scene.id }
  const leg = useRead('GET /hub/mandates/{public_id}/hl-leg', sent, { every: every.live })
  const money = useRead('GET /hub/mandates/{public_id}/money', sent, { every: every.live })
  // Without the feature the routes answer 404, and the mandate has no leg to show.
  if (leg.error?.status === 404 && leg.data === undefined) return null
  const state = scene.live?.leg?.state ?? leg.data?.state ?? 'none'
  return (
    <Card
      title={words.title}
      aside={
        <span className={styles['row']}>
          USDC <Tag kind={state === 'bound' ? 'inside' : 'held'}>{words.state[state] ?? state}</Tag>
        </span>
      }
    >
      {leg.data === undefined ? (
        leg.error === null ? (
          <Bones />
        ) : (
          <Failed error={leg.error} again={() => void leg.refetch()} />
        )
      ) : (
        <div className={styles['legParts']}>
          {money.data !== undefined && <LegMoney money={money.data} words={words} />}
          <LegFacts leg={leg.data} words={words} />
          <LegPositions positions={leg.data.positions} words={words} />
          <LegConnect scene={scene} leg={leg.data} words={words} onChanged={onChanged} onAct={onAct} />
          <LegKit id={scene.id} words={words} />
        </div>
      )}
    </Card>
  )
}

function LegFacts({ leg, words }: { readonly leg: Leg; readonly words: LegWords }) {
  const shared = useShared()
  const now = useNow()
  const show = (text: string | null) => showSigned(text)
  const most = unitsOf(leg.open_notional_max_usdc)
  const open = leg.open_notional_usdc === null ? null : unitsOf(cut(leg.open_notional_usdc))
  return (
    <div className={styles['rails']}>
      <RailRow
        name={words.open}
        figure={words.of(show(leg.open_notional_usdc), show(leg.open_notional_max_usdc))}
        {...(open !== null && open > most
          ? { use: 0, attempt: 1, over: true }
          : { use: open === null ? 0 : shareOf(open, most) })}
        told={shared.rail.told(words.open, show(leg.open_notional_usdc), show(leg.open_notional_max_usdc))}
      />
      <dl className={styles['sums']}>
        <div>
          <dt>{words.worth}</dt>
          <dd>{show(leg.worth_usdc)}</dd>
        </div>
        <div>
          <dt>
            {words.account} <span className={styles['hint']}>{words.network[leg.network]}</span>
          </dt>
          <dd>
            <Hash value={leg.owner_address} />
          </dd>
        </div>
        {leg.agent_address !== null && (
          <div>
            <dt>
              {words.key} <span className={styles['hint']}>{leg.epoch !== null && words.epoch(leg.epoch)}</span>
            </dt>
            <dd>
              <Hash value={leg.agent_address} />
            </dd>
          </div>
        )}
        {leg.valid_until !== null && (
          <div>
            <dt>{words.valid}</dt>
            <dd>
              <Clock time={leg.valid_until} />
            </dd>
          </div>
        )}
      </dl>
      <div className={styles['fine']}>
        {leg.foreign_usdc !== null && !isNothing(leg.foreign_usdc) && <p>{words.foreign(show(leg.foreign_usdc))}</p>}
        {leg.worth_read_at !== null && <p>{words.read(distanceText(leg.worth_read_at, now, shared))}</p>}
      </div>
      {(leg.foreign_agents ?? 0) > 0 && <Note kind="held">{words.foreignAgents(leg.foreign_agents ?? 0)}</Note>}
      {(leg.foreign_fills_24h ?? 0) > 0 && <Note kind="held">{words.foreignFills(leg.foreign_fills_24h ?? 0)}</Note>}
    </div>
  )
}
