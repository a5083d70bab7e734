import { useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { keyOf, queries, useSession } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Button } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Field } from '../../parts/field/field.tsx'
import { Note } from '../../parts/note/note.tsx'
import styles from './agent.module.css'
import { MarketChoice } from './market-choice.tsx'
import { allowsAnything, changesOf, formOf, readForm, typedItems, type Change, type PolicyForm } from './policy.ts'
import { ChangeList, WidenDialog } from './policy-change-list.tsx'
import type { Words } from './words.ts'

const READ = 'GET /hub/agents/{agent_id}/policy'
type PolicyAnswer = Answer<typeof READ>

interface EditorProps {
  readonly agentId: number
  readonly answer: PolicyAnswer
  readonly words: Words
  readonly onSaved: (saved: boolean) => void
}

/** The form of the policy. Every change is told as tightening or widening before it is saved; a widening asks again. */
export function PolicyEditor({ agentId, answer, words, onSaved }: EditorProps) {
  const text = words.policy
  const [edited, setEdited] = useState<PolicyForm | null>(null)
  const form = edited ?? formOf(answer.policy)
  const read = readForm(form)
  const changes = read.policy === null ? [] : changesOf(answer.policy, read.policy)
  const widens = allowsAnything(changes)
  const set = (part: Partial<PolicyForm>) => {
    onSaved(false)
    setEdited({ ...form, ...part })
  }
  const { save, busy, error, moved, asks, setAsks } = useSave(agentId, answer, () => {
    setEdited(null)
    onSaved(true)
  })
  const submit = () => (widens ? setAsks(true) : read.policy !== null && void save(read.policy))
  return (
    <form
      className={styles['policy']}
      onSubmit={(event) => {
        event.preventDefault()
        if (changes.length > 0) submit()
      }}
    >
      <label className={styles['switch']}>
        <input
          type="checkbox"
          role="switch"
          checked={form.accepts_mandates}
          onChange={(event) => set({ accepts_mandates: event.target.checked })}
        />
        <span>{text.items.accepts_mandates}</span>
      </label>
      <div className={styles['items']}>
        {typedItems.map((item) => (
          <Field
            key={item}
            label={text.items[item]}
            value={form[item]}
            inputMode="decimal"
            autoComplete="off"
            placeholder={text.noLimit}
            hint={text.hints[item]}
            {...(item.endsWith('_usdc') ? { unit: 'USDC' } : {})}
            fault={faultText(read.faults?.[item], words)}
            onChange={(value) => set({ [item]: value })}
          />
        ))}
      </div>
      <MarketChoice
        chosen={form.allowed_markets}
        words={words}
        onChange={(allowed_markets) => set({ allowed_markets })}
      />
      {moved && <Note kind="held">{text.moved}</Note>}
      {error !== null && <Failed error={error} />}
      {changes.length > 0 && <SaveBar {...{ changes, words, busy }} onDiscard={() => setEdited(null)} />}
      {asks && read.policy !== null && (
        <WidenDialog
          changes={changes}
          words={words}
          busy={busy}
          onClose={() => setAsks(false)}
          onConfirm={() => void save(read.policy)}
        />
      )}
    </form>
  )
}

interface SaveBarProps {
  readonly changes: readonly Change[]
  readonly words: Words
  readonly busy: boolean
  readonly onDiscard: () => void
}

/** What would be saved, and the two ways on. */
function SaveBar({ changes, words, busy, onDiscard }: SaveBarProps) {
  const text = words.policy
  const widens = allowsAnything(changes)
  return (
    <div className={styles['save']}>
      <ChangeList title={text.changes(changes.length)} changes={changes} words={words} />
      <div className={styles['buttons']}>
        <Button type="submit" kind={widens ? 'plain' : 'act'} busy={busy}>
          {widens ? text.saveWider : text.save}
        </Button>
        <Button kind="text" onClick={onDiscard}>
          {text.discard}
        </Button>
      </div>
    </div>
  )
}

const faultText = (fault: 'amount' | 'count' | undefined, { policy }: Words) =>
  fault === undefined ? null : fault === 'amount' ? policy.faultAmount : policy.faultCount

/** Saves a policy, unless somebody has changed it since it was shown: then the new one is shown first. */
function useSave(agentId: number, shown: PolicyAnswer, done: () => void) {
  const wallet = useSession()?.wallet ?? null
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [moved, setMoved] = useState(false)
  const [asks, setAsks] = useState(false)
  const running = useRef(false)
  const key = keyOf(READ, { agent_id: agentId }, wallet)
  const save = async (policy: PolicyAnswer['policy'] | null) => {
    if (policy === null || running.current) return
    running.current = true
    setBusy(true)
    try {
      const now = await api(READ, { agent_id: agentId })
      setMoved(now.updated_at !== shown.updated_at)
      if (now.updated_at === shown.updated_at) {
        const {
          ok: _ok,
          direction: _direction,
          ...answer
        } = await api('PUT /hub/agents/{agent_id}/policy', {
          agent_id: agentId,
          ...policy,
        })
        queries.setQueryData(key, answer)
        done()
      } else queries.setQueryData(key, now)
      setError(null)
      setAsks(false)
    } catch (failure) {
      setError(failure)
      setAsks(false)
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { save, busy, error, moved, asks, setAsks }
}
