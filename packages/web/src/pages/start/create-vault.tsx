import { api } from '../../lib/api.ts'
import { checkedCall, ForeignCall } from '../../lib/chain.ts'
import { useConfig } from '../../lib/config.ts'
import { Problem } from '../../lib/problem.ts'
import { useRead } from '../../lib/reads.ts'
import { Button } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Note } from '../../parts/note/note.tsx'
import { TxFlow } from '../../parts/tx-flow/tx-flow.tsx'
import type { TxOrder } from '../../parts/tx-flow/use-tx.ts'
import { recorded } from './record-tx.ts'
import { Task } from './task.tsx'
import type { OwnTerms } from './use-own-terms.ts'
import { useWords } from './use-words.ts'
import styles from './start.module.css'

interface CreateVaultProps {
  readonly publicId: string
  readonly own: OwnTerms
  /** Null before it is created. */
  readonly vault: string | null
  readonly onDone: () => void
  readonly onSignAgain: () => void
}

/** The vault of the signed terms: the call must be, byte for byte, the one that this page writes from them. */
export function CreateVault({ publicId, own, vault, onDone, onSignAgain }: CreateVaultProps) {
  const { money } = useWords()
  const { data: config } = useConfig()
  const call = useRead('GET /hub/mandates/{public_id}/create-call', { public_id: publicId }, { when: vault === null })
  if (vault !== null)
    return (
      <Task at={1} title={money.create.title} state="done">
        <p>
          {money.create.done} <Hash value={vault} />
        </p>
      </Task>
    )
  const isWaiting = call.data?.configured === false || own.factory === null
  const mustSignAgain = call.error instanceof Problem && call.error.code === 'hub_sign_again'
  const order: TxOrder = {
    key: `${publicId}/create`,
    prepare: async () => {
      const { creationData } = await import('../../lib/terms.ts')
      const { call: prepared } = await api('GET /hub/mandates/{public_id}/create-call', { public_id: publicId })
      const { factory, terms } = own
      if (prepared === null || factory === null || config === undefined) throw new ForeignCall([])
      return checkedCall(prepared, { to: factory, data: creationData(terms), chainId: config.chain.id })
    },
    record: (hash) =>
      recorded(() =>
        api(
          'POST /hub/mandates/{public_id}/vault',
          { public_id: publicId, tx_hash: hash },
          { idempotencyKey: crypto.randomUUID() },
        ),
      ),
    happened: async () => (await api('GET /hub/mandates/{public_id}', { public_id: publicId })).chain_state !== null,
  }
  return (
    <Task at={1} title={money.create.title} hint={money.create.hint} state="now">
      {mustSignAgain ? (
        <Note
          kind="held"
          title={money.create.again}
          action={
            <Button kind="act" onClick={onSignAgain}>
              {money.create.toSign}
            </Button>
          }
        >
          <p>{money.create.againSaid}</p>
        </Note>
      ) : isWaiting ? (
        <Note kind="held" title={money.create.waits}>
          <p>{money.create.waitsSaid}</p>
        </Note>
      ) : call.error !== null && call.data === undefined ? (
        <Failed error={call.error} again={() => void call.refetch()} />
      ) : (
        <div className={styles['act']}>
          <TxFlow order={order} act={money.create.act} onDone={onDone} />
        </div>
      )}
    </Task>
  )
}
