import { useState } from 'react'
import { useConfig } from '../../lib/config.ts'
import { Card } from '../../parts/card/card.tsx'
import { Code } from '../../parts/code/code.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import type { Agent } from './agents.ts'
import styles from './agent.module.css'
import { firstCalls } from './calls.ts'
import type { Words } from './words.ts'

type CallId = 'me' | 'offers' | 'accept'

/** First calls of the bot, to copy into a shell. */
export function CallsCard({ agent, words }: { readonly agent: Agent; readonly words: Words }) {
  const text = words.calls
  const config = useConfig()
  const [shown, setShown] = useState<CallId>('me')
  const calls = firstCalls(config.data?.web_base ?? location.origin, agent.agent_id)
  const command = calls.find(({ id }) => id === shown)?.command ?? ''
  return (
    <Card title={text.title} aside={<a href="/ui/docs">{text.docs}</a>}>
      <p className={styles['why']}>{text.why}</p>
      <Code label={text.why} text={text.exportKey} />
      <div className={styles['callChoice']}>
        <Seg
          label={text.choose}
          value={shown}
          onChange={setShown}
          options={(['me', 'offers', 'accept'] as const).map((id) => ({ value: id, label: text[id] }))}
        />
      </div>
      <Code label={text[shown]} text={command} />
    </Card>
  )
}
