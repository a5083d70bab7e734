import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { shownAmount, unitsOf } from '../../lib/money.ts'
import { useSession } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { signTyped, WalletFault } from '../../lib/wallet.ts'
import { signerOf } from '../../lib/wallets.ts'
import { Button } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Note } from '../../parts/note/note.tsx'
import { WalletFaultNote } from '../../parts/wallet-fault/wallet-fault.tsx'
import type { ActWords } from './act-words.ts'
import type { ActPlace } from './acts.ts'
import { mustReturn } from './leg-signing.ts'
import styles from './mandate.module.css'

interface RouteStepProps {
  readonly step: { readonly action: string }
  readonly place: Pick<ActPlace, 'publicId'>
  readonly words: ActWords
  readonly onDone: () => void
}

type Prepared = Answer<'POST /hub/mandates/{public_id}/hl-leg/return-call'>

/** A step of closing that a route of the service takes: the stop in the record, and the way of the money back from the venue. */
export function RouteStep({ step: { action }, place: { publicId }, words, onDone }: RouteStepProps) {
  const wallet = useSession()?.wallet
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [prepared, setPrepared] = useState<Prepared | null>(null)
  const [key] = useState(() => crypto.randomUUID())
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
  const take = async () => {
    const sent = { public_id: publicId }
    if (action === 'close_leg' || action === 'return_leg')
      return setPrepared(await api('POST /hub/mandates/{public_id}/hl-leg/return-call', sent))
    if (action === 'release_leg')
      await api('POST /hub/mandates/{public_id}/hl-leg/unbind', sent, { idempotencyKey: key })
    else await api('POST /hub/mandates/{public_id}/stop', sent, { idempotencyKey: key })
    onDone()
  }
  const sign = async ({ typed_data, nonce, amount_usdc }: Prepared) => {
    if (wallet === undefined) throw new WalletFault('locked')
    mustReturn(typed_data, amount_usdc)
    const signature = await signTyped(await signerOf(wallet), typed_data)
    await api('POST /hub/mandates/{public_id}/hl-leg/return', { public_id: publicId, nonce, signature })
    setPrepared(null)
    onDone()
  }
  const destination = prepared?.typed_data.message['destination']
  return (
    <div className={styles['dialog']}>
      {prepared !== null && (
        <Note kind="note">
          {words.sign.amount(shownAmount(unitsOf(prepared.amount_usdc)))}{' '}
          {typeof destination === 'string' && <Hash value={destination} whole />}
        </Note>
      )}
      {error instanceof WalletFault ? (
        <WalletFaultNote kind={error.kind} said={error.said} />
      ) : (
        error !== null && <Failed error={error} />
      )}
      <p>
        <Button kind="act" busy={busy} onClick={() => run(() => (prepared === null ? take() : sign(prepared)))}>
          {prepared === null ? words.close.take : busy ? words.sign.asking : words.sign.sign}
        </Button>
      </p>
    </div>
  )
}
