import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useRead, useSession } from '../../lib/reads.ts'
import { unitsOf } from '../../lib/money.ts'
import { addressCalled } from '../../lib/receipts.ts'
import { sameAccount, type Address } from '../../lib/wallet.ts'
import { signerOf } from '../../lib/wallets.ts'
import { ButtonLink } from '../../parts/button/button.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Note } from '../../parts/note/note.tsx'
import { addressOf } from '../../routes.ts'
import type { Draft } from './draft.ts'
import { CreateVault } from './create-vault.tsx'
import { Gas } from './gas.tsx'
import { PayIn } from './pay-in.tsx'
import { Task } from './task.tsx'
import { useOwnTerms, type OwnTerms } from './use-own-terms.ts'
import { useWords } from './use-words.ts'
import styles from './start.module.css'

interface MoneyStepProps {
  readonly draft: Draft
  readonly publicId: string
  readonly onSignAgain: () => void
  /** Called with whether the vault has what the mandate needs to work. */
  readonly onWorks: (works: boolean) => void
}

/** Pause between looks at the detail while money is on its way. */
const LOOK_MS = 3_000

/** The fourth step: the vault is created and funded. Where it stands comes from the detail, so a reload goes on from there. */
export function MoneyStep({ draft, publicId, onSignAgain, onWorks }: MoneyStepProps) {
  const words = useWords()
  const detail = useRead('GET /hub/mandates/{public_id}', { public_id: publicId }, { every: LOOK_MS })
  const { written, ...unread } = useOwnTerms(draft, detail.data?.terms_hash ?? null)
  const own = written.data
  const predicted = usePrediction(own)
  const [paid, setPaid] = useState(0n)
  const mandate = detail.data
  const served = unitsOf(mandate?.chain_state?.principal_usdc ?? '0')
  // The receipt is here before the service has seen the deposit.
  const principal = served > paid ? served : paid
  const vault = mandate?.chain_state?.vault ?? null
  const isAsking = vault !== null && predicted === 'asking'
  const isForeign = vault !== null && !isAsking && predicted !== null && !sameAccount(vault, predicted)
  // Up to the stop line the service does not call the mandate working.
  const isDone = own !== undefined && !isAsking && !isForeign && principal > own.terms.factoryTerms.stopLine
  const isUnchecked = vault !== null && predicted === null && !isDone
  useEffect(() => onWorks(isDone), [isDone, onWorks])
  const again = () => void detail.refetch()
  if (detail.error !== null && mandate === undefined) return <Failed error={detail.error} again={again} />
  if (unread.error !== null) return <Failed error={unread.error} again={unread.again} />
  if (mandate === undefined || own === undefined) return <Bones lines={[0.5, 0.9, 0.9, 0.9]} rem={3} />
  if (mandate.terms_hash !== null && mandate.terms_hash.toLowerCase() !== own.terms.digest)
    return <OtherTerms own={own.terms.digest} served={mandate.terms_hash} />
  const isAccepted = mandate.agent?.accepted_at !== null
  return (
    <div className={styles['money']}>
      {!isDone && <p className={styles['lead']}>{words.money.lead}</p>}
      <ol className={styles['tasks']}>
        <Gas />
        <CreateVault publicId={publicId} own={own} vault={vault} onDone={again} onSignAgain={onSignAgain} />
        {isForeign ? (
          <ForeignVault predicted={predicted} served={vault} />
        ) : isUnchecked ? (
          <UncheckedVault served={vault} />
        ) : vault === null || isAsking ? (
          <>
            <Task at={2} title={words.money.allow.title} state="later" />
            <Task at={3} title={words.money.pay.title} hint={words.money.pay.hint} state="later" />
          </>
        ) : (
          <PayIn
            key={String(principal)}
            publicId={publicId}
            vault={vault as Address}
            principal={principal}
            budget={own.terms.factoryTerms.budget}
            stopLine={own.terms.factoryTerms.stopLine}
            done={isDone}
            onDone={(total) => {
              setPaid(total)
              again()
            }}
          />
        )}
      </ol>
      {isDone && (
        <Note
          kind="inside"
          title={isAccepted ? words.money.done.title : words.money.done.waits}
          action={
            <ButtonLink kind="act" to={addressOf('mandate', { id: publicId })}>
              {words.money.done.open}
            </ButtonLink>
          }
        >
          <p>{isAccepted ? words.money.done.said(draft.agent?.name ?? words.agent.by) : words.money.done.accepts}</p>
        </Note>
      )}
    </div>
  )
}

/**
 * Asks the factory itself, through the wallet, where the vault of these terms is; null if the wallet cannot tell, which is
 * asked again. Nobody pays in before it tells.
 */
function usePrediction(own: OwnTerms | undefined): Address | 'asking' | null {
  const account = useSession()?.wallet
  const factory = own?.factory ?? null
  const isAskable = own !== undefined && account !== undefined && factory !== null
  const { data, isPending } = useQuery({
    queryKey: ['prediction', account, factory, own?.terms.digest],
    enabled: isAskable,
    retry: false,
    refetchInterval: ({ state }) => (state.data === null || state.status === 'error' ? LOOK_MS : false),
    queryFn: async () => {
      if (!isAskable) return null
      const [{ predictionData }, { provider }] = await Promise.all([import('../../lib/terms.ts'), signerOf(account)])
      return addressCalled(provider, factory, predictionData(own.terms))
    },
  })
  return isAskable && isPending ? 'asking' : (data ?? null)
}

function OtherTerms({ own, served }: { readonly own: string; readonly served: string }) {
  const words = useWords()
  return (
    <Note kind="out" title={words.money.other.title} urgent>
      <p>{words.money.other.said}</p>
      <dl className={styles['digests']}>
        <dt>{words.sign.here}</dt>
        <dd>
          <code>{own}</code>
        </dd>
        <dt>{words.sign.service}</dt>
        <dd>
          <code>{served}</code>
        </dd>
      </dl>
    </Note>
  )
}

function ForeignVault({ predicted, served }: { readonly predicted: string; readonly served: string }) {
  const { money } = useWords()
  return (
    <li>
      <Note kind="out" title={money.foreignVault.title} urgent>
        <p>{money.foreignVault.said}</p>
        <p>
          {money.foreignVault.here} <Hash value={predicted} whole />
        </p>
        <p>
          {money.foreignVault.served} <Hash value={served} whole />
        </p>
      </Note>
    </li>
  )
}

function UncheckedVault({ served }: { readonly served: string }) {
  const { money } = useWords()
  return (
    <li>
      <Note kind="held" title={money.uncheckedVault.title}>
        <p>{money.uncheckedVault.said}</p>
        <p>
          {money.foreignVault.served} <Hash value={served} whole />
        </p>
      </Note>
    </li>
  )
}
