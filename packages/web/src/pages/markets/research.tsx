import { useState } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { useRead, useSession } from '../../lib/reads.ts'
import { Button, ButtonLink } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Choice } from '../../parts/choice/choice.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Read } from '../../parts/read/read.tsx'
import { askSignIn } from '../../parts/sign-in/ask-sign-in.ts'
import { pages } from '../../routes.ts'
import { PairResearch, type Asked } from './pair-research.tsx'
import { en } from './research-words.ts'
import { Targets } from './targets.tsx'
import styles from './research.module.css'

const useWords = defineWords(en, () => import('./research-words.ko.ts'))

/** Research about the targets of a paired agent, and its reports to download. */
export default function Research() {
  const words = useWords()
  const signedIn = useSession() !== null
  const agents = useRead('GET /hub/agents', {}, { when: signedIn })
  return (
    <Card title={words.title}>
      <p className={styles['small']}>{words.lead}</p>
      {signedIn ? (
        <Read of={agents}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty action={<ButtonLink to={pages.agent}>{words.pair}</ButtonLink>}>{words.noAgents}</Empty>
            ) : (
              <Form agents={items.map(({ agent_id, name }) => ({ id: agent_id, name }))} />
            )
          }
        </Read>
      ) : (
        <Empty
          action={
            <Button kind="act" onClick={() => void askSignIn()}>
              {words.signIn}
            </Button>
          }
        >
          {words.signInLead}
        </Empty>
      )}
    </Card>
  )
}

interface FormProps {
  readonly agents: readonly { readonly id: number; readonly name: string }[]
}

function Form({ agents }: FormProps) {
  const words = useWords()
  const [agent, setAgent] = useState(String(agents[0]?.id ?? ''))
  const [asked, setAsked] = useState<Asked | null>(null)
  const agent_id = Number(agent)
  const read = (exchange: string, symbol: string) => setAsked({ agent_id, exchange, symbol })
  return (
    <>
      {agents.length > 1 && (
        <div className={styles['form']}>
          <Choice
            label={words.agent}
            value={agent}
            options={agents.map(({ id, name }) => ({ value: String(id), label: name }))}
            onChoose={(next) => {
              setAgent(next)
              setAsked(null)
            }}
          />
        </div>
      )}
      <Targets key={agent} agentId={agent_id} asked={asked} onAsk={read} />
      {asked !== null && <PairResearch key={JSON.stringify(asked)} asked={asked} />}
    </>
  )
}
