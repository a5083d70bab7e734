import { useState } from 'react'
import { useQueryClient, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { useConfig } from '../../lib/config.ts'
import { Problem } from '../../lib/problem.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import type { TermsDifference } from '../../lib/terms.ts'
import { faultOf, signTyped, switchTo, WalletFault } from '../../lib/wallet.ts'
import { signerOf } from '../../lib/wallets.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Clauses } from '../../parts/clauses/clauses.tsx'
import { Deed } from '../../parts/deed/deed.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Stack } from '../../parts/page/page.tsx'
import { WalletFaultNote } from '../../parts/wallet-fault/wallet-fault.tsx'
import { Comparison } from './comparison.tsx'
import { changeDraft, type Draft } from './draft.ts'
import { limitsOf, storedDifferences, type Form } from './form.ts'
import { useOwnTerms, type OwnTerms } from './use-own-terms.ts'
import { useWords } from './use-words.ts'
import styles from './start.module.css'

type Served = Answer<'GET /hub/mandates/{public_id}/terms'>

interface SignStepProps {
  readonly draft: Draft
  readonly form: Form
  readonly publicId: string
  readonly onBack: () => void
  readonly onNext: () => void
}

/** The third step: the paper that this page wrote, compared with that of the service, and the signature. */
export function SignStep({ draft, form, publicId, onBack, onNext }: SignStepProps) {
  const served = useRead('GET /hub/mandates/{public_id}/terms', { public_id: publicId })
  const signedHash = served.data?.signed === true ? served.data.terms_hash : null
  const { written, agent, ...unread } = useOwnTerms(draft, signedHash)
  const own = written.data
  const difference = useQuery<readonly TermsDifference[]>({
    queryKey: ['terms-differences', own?.terms.digest, served.dataUpdatedAt],
    enabled: own !== undefined && served.data !== undefined,
    queryFn: async () => {
      if (own === undefined || served.data === undefined) throw new Error('not ready')
      return (await import('../../lib/terms.ts')).differencesOfTerms(own.terms, served.data)
    },
  })
  if (unread.error !== null) return <Failed error={unread.error} again={unread.again} />
  const error = served.error ?? difference.error
  if (error !== null) return <Failed error={error} again={() => void served.refetch()} />
  if (own === undefined || served.data === undefined || agent === null)
    return <Bones lines={[0.6, 1, 1, 1, 1, 1]} rem={2.5} />
  return (
    <Paper
      draft={draft}
      form={form}
      own={own}
      agent={agent}
      served={served.data}
      differences={difference.data ?? null}
      publicId={publicId}
      reload={() => void served.refetch()}
      onBack={onBack}
      onNext={onNext}
    />
  )
}

interface PaperProps extends SignStepProps {
  readonly own: OwnTerms
  readonly agent: string
  readonly served: Served
  /** Null while they are being compared: nothing can be signed. */
  readonly differences: readonly TermsDifference[] | null
  readonly reload: () => void
}

function Paper({ draft, form, own, agent, served, differences, publicId, reload, onBack, onNext }: PaperProps) {
  const words = useWords()
  const owner = useSession()?.wallet ?? ''
  const { data: config } = useConfig()
  const signing = useSigning(publicId, own)
  const { terms, named } = own
  const unlike = draft.stored === null ? [] : storedDifferences(limitsOf(form), draft.stored)
  const isOpen =
    differences !== null &&
    differences.length === 0 &&
    unlike.length === 0 &&
    named.foreign.length === 0 &&
    named.missing.length === 0
  const isSigned = signing.state === 'signed' || (served.signed && isOpen)
  if (config === undefined) return null
  return (
    <>
      <Stack>
        <Deed
          name={form.name}
          owner={owner}
          agent={agent}
          agentName={draft.agent?.name ?? null}
          chain={config.chain}
          sealed={isSigned ? terms.digest : null}
          fresh={signing.state === 'signed'}
        >
          {words.sign.reading !== null && <p className={styles['hint']}>{words.sign.reading}</p>}
          <Clauses clauses={terms.clauses} figures={marginOf(own, form)} standing={served.clauses} />
        </Deed>
        <Notices {...{ draft, served, onBack }} />
        <Comparison
          own={terms.digest}
          served={served.terms_hash}
          differences={differences}
          named={named}
          unlike={unlike}
          signed={isSigned}
          draft={draft}
          reload={reload}
        />
        {signing.error !== null && <SigningFault error={signing.error} reload={reload} />}
      </Stack>
      <div className={styles['bar']}>
        {isSigned ? (
          <p className={styles['sum']} role="status">
            {words.sign.signed}
          </p>
        ) : (
          <Button kind="text" onClick={onBack}>
            {words.bar.change}
          </Button>
        )}
        {differences !== null && !isOpen && (
          <strong className={styles['doNot']} role="alert">
            {words.sign.doNotBar}
          </strong>
        )}
        {isSigned ? (
          <Button kind="act" size="l" onClick={onNext}>
            {words.bar.toMoney}
          </Button>
        ) : (
          <Button kind="act" size="l" disabled={!isOpen} busy={signing.state !== 'idle'} onClick={signing.sign}>
            {signing.state === 'storing' ? words.sign.storing : words.sign.act}
          </Button>
        )}
      </div>
    </>
  )
}

/** What a person should know before signing, beside the comparison. */
function Notices({ draft, served, onBack }: Pick<PaperProps, 'draft' | 'served' | 'onBack'>) {
  const words = useWords()
  return (
    <>
      {draft.readBack && (
        <Note
          kind="held"
          action={
            <Button size="s" onClick={onBack}>
              {words.sign.toFigures}
            </Button>
          }
        >
          {words.sign.readAgain}
        </Note>
      )}
      {draft.agent?.wallet === null && <Note kind="held">{words.agent.unchecked}</Note>}
      {!served.factory_configured && <Note kind="held">{words.sign.noFactory}</Note>}
      {served.exposure !== null && (
        <Note kind="held" title={words.sign.exposure}>
          <bdi>{served.exposure}</bdi>
        </Note>
      )}
    </>
  )
}

/** Returns the figures of the margin: those of the terms that are signed. */
const marginOf = ({ terms: { factoryTerms }, named }: OwnTerms, form: Form) => ({
  ...factoryTerms,
  feeBps: BigInt(factoryTerms.feeBps),
  approvalAbove: form.neverAsks ? null : factoryTerms.approvalAbove,
  markets: named.markets.map(({ title }) => title),
})

type SigningState = 'idle' | 'wallet' | 'storing' | 'signed'

/** Has the wallet sign the terms that this page wrote, and stores the signature under the digest that this page computed. */
function useSigning(publicId: string, { terms }: OwnTerms) {
  const { data: config } = useConfig()
  const account = useSession()?.wallet
  const queries = useQueryClient()
  const [state, setState] = useState<SigningState>('idle')
  const [error, setError] = useState<unknown>(null)
  const [key] = useState(() => crypto.randomUUID())
  const run = async () => {
    if (config === undefined || account === undefined) return
    setError(null)
    setState('wallet')
    try {
      const signer = await signerOf(account)
      await switchTo(signer.provider, config.chain)
      const signature = await signTyped(signer, terms.typedData)
      setState('storing')
      await api(
        'POST /hub/mandates/{public_id}/sign',
        { public_id: publicId, signature, terms_hash: terms.digest },
        { idempotencyKey: `${key}-${signature.slice(-12)}` },
      )
      setState('signed')
      void queries.invalidateQueries({ queryKey: ['GET /hub/mandates/{public_id}'] })
    } catch (failure) {
      setState('idle')
      setError(failure instanceof Problem ? failure : faultOf(failure))
    }
  }
  return { state, error, sign: () => void run() }
}

/** Refusals after which the terms have to be read again. */
const CHANGED = new Set(['hub_terms_changed', 'hub_wrong_state', 'hub_mandate_not_draft', 'hub_sign_again'])

interface SigningFaultProps {
  readonly error: unknown
  readonly reload: () => void
}

/** Why nothing was signed. The button below signs again. */
function SigningFault({ error, reload }: SigningFaultProps) {
  const words = useWords()
  if (error instanceof WalletFault) return <WalletFaultNote kind={error.kind} said={error.said} />
  if (error instanceof Problem && CHANGED.has(error.code))
    return (
      <Note
        kind="held"
        title={words.sign.notDraft}
        urgent
        action={
          <Button
            size="s"
            onClick={() => {
              changeDraft({ stored: null })
              reload()
            }}
          >
            {words.sign.reload}
          </Button>
        }
      >
        <p>{error.fix}</p>
      </Note>
    )
  return <Failed error={error} />
}
