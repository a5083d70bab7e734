import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { Problem } from '../../lib/problem.ts'
import { useSession } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { signTyped, WalletFault } from '../../lib/wallet.ts'
import { signerOf } from '../../lib/wallets.ts'
import { Button } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { Clock } from '../../parts/time/time.tsx'
import { WalletFaultNote } from '../../parts/wallet-fault/wallet-fault.tsx'
import type { Leg } from './leg-figures.ts'
import { mustApprove } from './leg-signing.ts'
import type { ActName, Scene } from './scene.ts'
import type { LegWords } from './leg-words.ts'
import styles from './mandate.module.css'

interface LegConnectProps {
  readonly scene: Scene
  readonly leg: Leg
  readonly words: LegWords
  readonly onChanged: () => void
  readonly onAct: (act: ActName) => void
}

/** States in which the account must be approved again. */
const APPROVABLE: readonly string[] = ['none', 'proposed', 'revoked', 'expired', 'orphaned']

type Approval = Answer<'GET /hub/mandates/{public_id}/hl-leg/approve-call'>

/** Connects the owner's account at the venue, or lets it go, with the checks of each. */
export function LegConnect({ scene, leg, words, onChanged, onAct }: LegConnectProps) {
  const { busy, error, run } = useWork()
  const wallet = useSession()?.wallet
  const [approval, setApproval] = useState<Approval | null>(null)
  const state = scene.live?.state ?? scene.detail.state
  const sent = { public_id: scene.id }
  const isOver = state === 'stopped' || state === 'ended'
  const prepare = async () => setApproval(await api('GET /hub/mandates/{public_id}/hl-leg/approve-call', sent))
  const sign = async ({ typed_data, nonce, agent_address }: Approval) => {
    if (wallet === undefined) throw new WalletFault('locked')
    mustApprove(typed_data, agent_address)
    const signature = await signTyped(await signerOf(wallet), typed_data)
    await api('POST /hub/mandates/{public_id}/hl-leg/bind', { ...sent, signature, nonce })
    setApproval(null)
    onChanged()
  }
  const checks = checksOf(error) ?? approval?.checks ?? leg.checks
  return (
    <>
      <Checks checks={checks} words={words} open={checks.some(({ verdict }) => verdict === 'fail')} />
      {error instanceof WalletFault ? (
        <WalletFaultNote kind={error.kind} said={error.said} />
      ) : checksOf(error) !== null ? (
        <Note kind="held">{words.bind.notReady}</Note>
      ) : (
        error !== null && <Failed error={error} />
      )}
      {!isOver && APPROVABLE.includes(leg.state) && (
        <div className={styles['dialog']}>
          <p className={styles['fine']}>{words.bind.lead}</p>
          {approval !== null && (
            <p className={styles['fine']}>
              {words.bind.key} <Hash value={approval.agent_address} whole /> {words.bind.until}{' '}
              <Clock time={approval.valid_until} />
            </p>
          )}
          <p>
            <Button kind="act" busy={busy} onClick={() => run(() => (approval === null ? prepare() : sign(approval)))}>
              {approval === null ? (error === null ? words.bind.prepare : words.bind.again) : words.bind.sign}
            </Button>
          </p>
        </div>
      )}
      {isOver && leg.state !== 'none' && leg.state !== 'released' && (
        <p className={styles['row']}>
          <Button kind="act" onClick={() => onAct('close')}>
            {words.bringBack}
          </Button>
          <Release id={scene.id} words={words} onChanged={onChanged} />
        </p>
      )}
    </>
  )
}

/** Returns the checks that a refusal carries; null for other failures. */
function checksOf(error: unknown): Leg['checks'] | null {
  if (!(error instanceof Problem) || error.code !== 'hub_hl_leg_not_ready') return null
  return Array.isArray(error.body['checks']) ? (error.body['checks'] as Leg['checks']) : null
}

/** Runs one piece of work at a time and keeps its failure. */
function useWork() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = (work: () => Promise<void>) => {
    setBusy(true)
    setError(null)
    work().then(
      () => setBusy(false),
      (failure: unknown) => {
        setBusy(false)
        setError(failure)
      },
    )
  }
  return { busy, error, run }
}

interface ReleaseProps {
  readonly id: string
  readonly words: LegWords
  readonly onChanged: () => void
}

function Release({ id, words, onChanged }: ReleaseProps) {
  const { busy, error, run } = useWork()
  const [key] = useState(() => crypto.randomUUID())
  const release = async () => {
    await api('POST /hub/mandates/{public_id}/hl-leg/unbind', { public_id: id }, { idempotencyKey: key })
    onChanged()
  }
  return (
    <>
      <Button busy={busy} onClick={() => run(release)} title={words.unbind.lead}>
        {words.unbind.act}
      </Button>
      {error !== null && <Failed error={error} />}
    </>
  )
}

const tagOf = { pass: 'inside', warn: 'held', fail: 'out', pending: 'waiting', unknown: 'plain' } as const

interface ChecksProps {
  readonly checks: Leg['checks']
  readonly words: LegWords
  readonly open: boolean
}

/** What was examined of the account: each with its verdict, its reason and what to do. */
function Checks({ checks, words, open }: ChecksProps) {
  if (checks.length === 0) return null
  return (
    <details className={styles['fine']} open={open}>
      <summary>{words.checks}</summary>
      <ul className={styles['checks']}>
        {checks.map(({ id, verdict, detail, fix }) => (
          <li key={id}>
            <Tag kind={tagOf[verdict]}>{words.verdicts[verdict]}</Tag>
            <div>
              <b>{words.check[id] ?? id}</b>
              {verdict !== 'pass' && (
                <p className={styles['fine']}>
                  <bdi>{detail}</bdi> {fix !== null && <bdi>{fix}</bdi>}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}
