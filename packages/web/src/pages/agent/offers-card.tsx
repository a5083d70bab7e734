import { Link } from 'wouter'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { addressOf } from '../../routes.ts'
import type { Agent } from './agents.ts'
import styles from './agent.module.css'
import type { Words } from './words.ts'

/** Mandates that wait for the confirmation of the agent. */
export function OffersCard({ agent, words }: { readonly agent: Agent; readonly words: Words }) {
  const text = words.offers
  const offers = useRead('GET /hub/agents/{agent_id}/offers', { agent_id: agent.agent_id }, { every: every.open })
  return (
    <Card title={text.title}>
      <Read of={offers} bones={<Bones lines={[0.8]} />}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles['quiet']}>{text.none}</p>
          ) : (
            <ul className={styles['offers']}>
              {items.map(({ public_id, name, signed }) => (
                <li key={public_id}>
                  <Link href={addressOf('mandate', { id: public_id })}>
                    <bdi>{name}</bdi>
                  </Link>
                  <Tag kind={signed ? 'inside' : 'waiting'}>{signed ? text.signed : text.draft}</Tag>
                </li>
              ))}
            </ul>
          )
        }
      </Read>
    </Card>
  )
}
