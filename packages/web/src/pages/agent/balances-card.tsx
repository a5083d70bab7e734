import { useConfig } from '../../lib/config.ts'
import { useChainName } from '../../i18n/chain-name.ts'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Ago } from '../../parts/time/time.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { Card } from '../../parts/card/card.tsx'
import { shortened } from '../../parts/hash/shortened.ts'
import { Read } from '../../parts/read/read.tsx'
import { Unknown } from '../../parts/unknown/unknown.tsx'
import type { Agent } from './agents.ts'
import styles from './agent.module.css'
import { assetText } from './asset-text.ts'
import type { Words } from './words.ts'

type Item = Answer<'GET /hub/agents/{agent_id}/balances'>['items'][number]
const STATES = ['idle', 'reserved', 'in_transit', 'delivered'] as const

/** What the agent has, in four states per chain and asset. What nobody could read is a dash, never zero. */
export function BalancesCard({ agent, words }: { readonly agent: Agent; readonly words: Words }) {
  const text = words.balances
  const balances = useRead('GET /hub/agents/{agent_id}/balances', { agent_id: agent.agent_id }, { every: every.slow })
  const config = useConfig()
  const named = useChainName()
  const chainName = (id: number) => (config.data?.chain?.id === id ? named(config.data.chain) : text.chain(id))
  return (
    <Card title={text.title} aside={balances.data !== undefined && <Ago time={balances.data.computed_at} />}>
      <Read of={balances} bones={<Bones lines={[1, 1]} rem={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles['quiet']}>{text.none}</p>
          ) : (
            <>
              {items.map((item) => (
                <div key={`${item.chain_id} ${item.asset}`} className={styles['balance']}>
                  <h3>
                    <bdi>{item.asset.startsWith('0x') ? shortened(item.asset) : item.asset}</bdi>{' '}
                    <span className={styles['quiet']}>{chainName(item.chain_id)}</span>
                  </h3>
                  <dl>
                    {STATES.map((state) => (
                      <div key={state}>
                        <dt>{text[state]}</dt>
                        <dd>
                          <Figure item={item} state={state} words={words} />
                        </dd>
                      </div>
                    ))}
                  </dl>
                </div>
              ))}
              <p className={styles['quiet']}>{text.hint}</p>
            </>
          )
        }
      </Read>
    </Card>
  )
}

function Figure({
  item,
  state,
  words,
}: {
  readonly item: Item
  readonly state: (typeof STATES)[number]
  readonly words: Words
}) {
  const amount = item[state]
  if (amount === null) return <Unknown reason={words.balances.unread} />
  return <span title={amount}>{assetText(amount, item.asset)}</span>
}
