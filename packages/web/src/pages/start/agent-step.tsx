import { useEffect, useState } from 'react'
import { useShared } from '../../i18n/index.tsx'
import { useRead, useSession } from '../../lib/reads.ts'
import type { Address } from '../../lib/wallet.ts'
import { Button, ButtonLink } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Stack } from '../../parts/page/page.tsx'
import { Problem } from '../../lib/problem.ts'
import { Read } from '../../parts/read/read.tsx'
import { Stranger } from '../../parts/stranger/stranger.tsx'
import { distanceText, useNow } from '../../parts/time/time.tsx'
import { askSignIn } from '../../parts/sign-in/ask-sign-in.ts'
import { pages } from '../../routes.ts'
import { changeDraft, type Draft } from './draft.ts'
import { House } from './house.tsx'
import { Pair } from './pair.tsx'
import { useWords } from './use-words.ts'
import styles from './start.module.css'

interface AgentStepProps {
  readonly draft: Draft
  readonly busy: boolean
  /** Why the draft could not be stored. */
  readonly error: unknown
  readonly onNext: () => void
  readonly onBack: () => void
}

/** How often the page looks whether the agent has used its code. */
const PAIRING_MS = 3_000

/** The second step: which agent may act. */
export function AgentStep({ draft, busy, error, onNext, onBack }: AgentStepProps) {
  const words = useWords()
  const signedIn = useSession() !== null
  const agents = useRead('GET /hub/agents', {}, { every: PAIRING_MS, when: signedIn })
  const items = agents.data?.items
  // The only agent that can be chosen is chosen.
  useEffect(() => {
    const open = items?.filter(({ policy }) => policy.accepts_mandates) ?? []
    const [only] = open
    if (draft.agent === null && open.length === 1 && only !== undefined)
      changeDraft({ agent: { id: only.agent_id, name: only.name, wallet: only.wallet as Address } })
  }, [items, draft.agent])
  const [pairing, setPairing] = useState(false)
  if (!signedIn) return <SignInAgain />
  const pairs = pairing || items?.length === 0
  return (
    <>
      <Stack>
        <Card title={words.agent.yours}>
          <Read of={agents}>
            {({ items: known }) =>
              known.length === 0 ? (
                <p>
                  <strong>{words.agent.none}.</strong> {words.agent.noneHint}
                </p>
              ) : (
                <AgentList items={known} chosen={draft.agent?.id ?? null} />
              )
            }
          </Read>
        </Card>
        {items !== undefined &&
          (pairs ? (
            <Pair known={items.map(({ agent_id }) => agent_id)} />
          ) : (
            <div>
              <Button onClick={() => setPairing(true)}>{words.agent.pair}</Button>
            </div>
          ))}
        <House />
        {error !== null && <DraftFault error={error} />}
      </Stack>
      <div className={styles['bar']}>
        <Button kind="text" onClick={onBack}>
          {words.bar.change}
        </Button>
        <Button kind="act" size="l" busy={busy} disabled={draft.agent === null} onClick={onNext}>
          {words.bar.toSign}
        </Button>
      </div>
    </>
  )
}

type AgentItem = NonNullable<ReturnType<typeof useRead<'GET /hub/agents'>>['data']>['items'][number]

function AgentList({ items, chosen }: { readonly items: readonly AgentItem[]; readonly chosen: number | null }) {
  const words = useWords()
  const shared = useShared()
  const now = useNow()
  return (
    <fieldset>
      <legend className="told">{words.agent.choose}</legend>
      <ul className={styles['agents']}>
        {items.map(({ agent_id: id, name, wallet, policy, last_seen_at: seen }) => (
          <li key={id}>
            <label className={id === chosen ? `${styles['agent']} ${styles['chosen']}` : styles['agent']}>
              <input
                type="radio"
                name="agent"
                checked={id === chosen}
                disabled={!policy.accepts_mandates}
                onChange={() => changeDraft({ agent: { id, name, wallet: wallet as Address } })}
              />
              <span className={styles['agentText']}>
                <strong>
                  <Stranger text={name} />
                </strong>
                <span className={styles['hint']}>
                  {policy.accepts_mandates
                    ? seen === null
                      ? words.agent.never
                      : words.agent.seen(distanceText(seen, now, shared))
                    : words.agent.closed}
                </span>
              </span>
              <Hash value={wallet} />
            </label>
          </li>
        ))}
      </ul>
      {items.some(({ policy }) => !policy.accepts_mandates) && (
        <ButtonLink to={pages.agent}>{words.agent.policy}</ButtonLink>
      )}
    </fieldset>
  )
}

function SignInAgain() {
  const words = useWords()
  return (
    <div>
      <Button kind="act" onClick={() => void askSignIn()}>
        {words.signIn}
      </Button>
    </div>
  )
}

/** Why a draft was not stored: the policy of the agent by its item, everything else as the service says it. */
function DraftFault({ error }: { readonly error: unknown }) {
  const words = useWords()
  if (!(error instanceof Problem) || error.code !== 'policy_refuses') return <Failed error={error} />
  const item = typeof error.body['item'] === 'string' ? error.body['item'] : ''
  return (
    <Note
      kind="out"
      title={words.policyRefuses.title}
      urgent
      action={<ButtonLink to={pages.agent}>{words.policyRefuses.link}</ButtonLink>}
    >
      <p>{words.policyRefuses.said(item)}</p>
    </Note>
  )
}
