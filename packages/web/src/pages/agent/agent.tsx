import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'wouter'
import { defineWords } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { OwnerOnly } from '../../parts/owner-only/owner-only.tsx'
import { Columns, Page } from '../../parts/page/page.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import styles from './agent.module.css'
import type { Agent } from './agents.ts'
import { ActivityCard } from './activity-card.tsx'
import { BalancesCard } from './balances-card.tsx'
import { CallsCard } from './calls-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { OffersCard } from './offers-card.tsx'
import { PairDialog } from './pair-dialog.tsx'
import { PolicyCard } from './policy-card.tsx'
import { Who } from './who.tsx'
import { en, type Words } from './words.ts'

const CherryCard = lazy(() => import('./cherry-card.tsx').then((part) => ({ default: part.CherryCard })))
const useWords = defineWords(en, () => import('./words.ko.ts'))

/** The agents of the owner: what each may take on, its keys, its money and what it did. */
export default function Agents() {
  const words = useWords()
  return (
    <OwnerOnly why={words.signedOut} title={words.title}>
      <Paired words={words} />
    </OwnerOnly>
  )
}

function Paired({ words }: { readonly words: Words }) {
  const [pairs, setPairs] = useState(false)
  const [search, setSearch] = useSearchParams()
  const agents = useRead('GET /hub/agents', {}, { every: every.open })
  const items = agents.data?.items ?? []
  const shown = items.find(({ agent_id }) => String(agent_id) === search.get('agent')) ?? items[0]
  const choose = (id: string) => setSearch({ agent: id }, { replace: true })
  return (
    <Page
      title={words.title}
      actions={
        <Button kind={items.length === 0 ? 'act' : 'plain'} onClick={() => setPairs(true)}>
          {words.pair.button}
        </Button>
      }
    >
      {pairs && <PairDialog words={words} known={items} onClose={() => setPairs(false)} onPaired={choose} />}
      <Read of={agents} bones={<Bones lines={[0.4, 1, 1]} rem={3} />}>
        {() =>
          shown === undefined ? (
            <Empty
              action={
                <Button kind="act" onClick={() => setPairs(true)}>
                  {words.pair.button}
                </Button>
              }
            >
              {words.empty}
            </Empty>
          ) : (
            <>
              {items.length > 1 && (
                <div className={styles['choose']}>
                  <Seg
                    label={words.choose}
                    value={String(shown.agent_id)}
                    onChange={choose}
                    options={items.map(({ agent_id, name }) => ({ value: String(agent_id), label: name }))}
                  />
                </div>
              )}
              <Shown key={shown.agent_id} agent={shown} words={words} />
            </>
          )
        }
      </Read>
    </Page>
  )
}

function Shown({ agent, words }: { readonly agent: Agent; readonly words: Words }) {
  return (
    <>
      <Who agent={agent} words={words} />
      <Columns
        aside={
          <>
            <OffersCard agent={agent} words={words} />
            <BalancesCard agent={agent} words={words} />
            <KeysCard agent={agent} words={words} />
            <CallsCard agent={agent} words={words} />
          </>
        }
      >
        <PolicyCard agent={agent} words={words} />
        <Suspense fallback={<Bones lines={[1, 1, 1]} rem={3} />}>
          <CherryCard agent={agent} />
        </Suspense>
        <ActivityCard agent={agent} words={words} />
      </Columns>
    </>
  )
}
