import { useState } from 'react'
import { useRead } from '../../lib/reads.ts'
import { Ago } from '../../parts/time/time.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Read } from '../../parts/read/read.tsx'
import type { Agent } from './agents.ts'
import styles from './agent.module.css'
import { PolicyChanges } from './policy-changes.tsx'
import { PolicyEditor } from './policy-editor.tsx'
import type { Words } from './words.ts'

/** The eight items of the policy, to read and to change. */
export function PolicyCard({ agent, words }: { readonly agent: Agent; readonly words: Words }) {
  const text = words.policy
  const [saved, setSaved] = useState(false)
  const policy = useRead('GET /hub/agents/{agent_id}/policy', { agent_id: agent.agent_id })
  const changed = policy.data?.updated_at ?? null
  return (
    <Card
      title={text.title}
      aside={
        changed !== null && (
          <>
            {text.changed} <Ago time={changed} />
          </>
        )
      }
    >
      <p className={styles['why']}>{text.why}</p>
      <Read of={policy} bones={<Bones lines={[1, 1, 1, 1]} rem={2} />}>
        {(answer) => (
          <>
            {answer.updated_at === null && <Note kind="held">{text.never}</Note>}
            {saved && <Note kind="inside">{text.saved}</Note>}
            <PolicyEditor agentId={agent.agent_id} answer={answer} words={words} onSaved={setSaved} />
            <PolicyChanges changes={answer.changes} words={words} />
          </>
        )}
      </Read>
    </Card>
  )
}
