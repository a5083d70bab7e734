import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { now } from '../../lib/clock.ts'
import { useConfig } from '../../lib/config.ts'
import { keyOf, queries, useSession } from '../../lib/reads.ts'
import { signText, signTyped, switchTo, type Address, type Signer } from '../../lib/wallet.ts'
import { signerOf } from '../../lib/wallets.ts'
import type { BuilderConfig, OwnStatus } from './answers.ts'
import { readApproval, type ApprovalKind, type VenueTypedData } from './approvals.ts'
import { ForeignLink, mustLink, type StepAction } from './linking.ts'
import { pageKey } from './page-key.ts'

/** Where a step stands. */
export type Stage = 'message' | 'wallet' | 'relay' | 'verify'
/** What is under way, or went wrong, for a step. */
export interface LinkState {
  readonly action: StepAction | 'verify' | null
  readonly stage: Stage | null
  readonly error: unknown
}

const IDLE: LinkState = { action: null, stage: null, error: null }

/** Does the steps of linking: each signs one thing that this page wrote itself, and reads at the venue what it changed. */
export function useLinking(builder: BuilderConfig | null) {
  const wallet = useSession()?.wallet ?? null
  const network = useConfig().data?.chain ?? null
  const [state, setState] = useState<LinkState>(IDLE)
  const show = (status: OwnStatus) => queries.setQueryData(keyOf('GET /hub/own/status', {}, wallet), status)

  const signerHere = async (): Promise<Signer> => {
    const signer = await signerOf(wallet as Address)
    if (network !== null) await switchTo(signer.provider, network)
    return signer
  }
  const run = async (action: StepAction | 'verify', work: (tell: (stage: Stage) => void) => Promise<void>) => {
    const tell = (stage: Stage) => setState({ action, stage, error: null })
    tell('message')
    try {
      await work(tell)
      setState(IDLE)
    } catch (error) {
      setState({ action, stage: null, error })
    }
  }

  const link = () =>
    run('link', async (tell) => {
      const terms = await api('GET /hub/own/terms', {})
      const { message } = await api('POST /hub/own/link/challenge', { wallet_address: wallet ?? '' })
      mustLink(message, wallet ?? '', { host: location.host, origin: location.origin })
      tell('wallet')
      const signature = await signText(await signerHere(), message)
      tell('relay')
      const { ok: _ok, ...status } = await api('POST /hub/own/link', { signature, terms_hash: terms.hash })
      show(status)
    })

  const approving = { builder, signer: signerHere, show }
  const approveStep = (action: 'approve_key' | 'approve_fee') =>
    run(action, async (tell) => {
      const { approvals, network: venue } = await api('GET /hub/own/status', {})
      const kind = action === 'approve_key' ? 'order_key' : 'builder_fee'
      await approve(kind, approvals[kind], { ...approving, webAddress: null, network: venue, tell })
    })
  const makePageKey = () =>
    run('make_page_key', async (tell) => {
      const { makeOrderKey } = await import('./order-key.ts')
      const key = makeOrderKey()
      const {
        approvals,
        network: venue,
        wallet: linked,
      } = await api('GET /hub/own/status', { web_address: key.address })
      const until = await approve('web_key', approvals.web_key, {
        ...approving,
        webAddress: key.address,
        network: venue,
        tell,
      })
      if (linked !== null && until !== null) pageKey.set({ key, wallet: linked.toLowerCase(), until })
    })
  const verify = () =>
    run('verify', async (tell) => {
      tell('verify')
      const { ok: _ok, ...status } = await api('POST /hub/own/enable/verify', {})
      show(status)
    })
  const act: Readonly<Record<Exclude<StepAction, 'to_mandates'>, () => void>> = {
    link: () => void link(),
    approve_key: () => void approveStep('approve_key'),
    approve_fee: () => void approveStep('approve_fee'),
    make_page_key: () => void makePageKey(),
  }
  return { state, act, verify: () => void verify() }
}

/** What an approval needs. */
interface Approving {
  readonly builder: BuilderConfig | null
  readonly network: OwnStatus['network']
  readonly webAddress: string | null
  readonly signer: () => Promise<Signer>
  readonly show: (status: OwnStatus) => void
  readonly tell: (stage: Stage) => void
}

/** Has the wallet sign one approval that this page wrote, and reads at the venue that it counts. Returns when it ends. */
async function approve(
  kind: ApprovalKind,
  offer: { readonly typed_data: VenueTypedData; readonly nonce: number } | null,
  { builder, network, webAddress, signer, show, tell }: Approving,
): Promise<number | null> {
  if (offer === null) throw new ForeignLink('approval')
  const read = readApproval(kind, offer.typed_data, { network, now: now(), builder, webAddress })
  if (read.fault !== null) throw new ForeignLink(read.fault)
  tell('wallet')
  const signature = await signTyped(await signer(), read.typedData)
  tell('relay')
  await api('POST /hub/own/enable/relay', { signature, nonce: offer.nonce })
  tell('verify')
  if (kind === 'builder_fee') await api('POST /hub/builder-fee/record', {})
  const { ok: _ok, ...status } = await api('POST /hub/own/enable/verify', {})
  show(status)
  return read.until
}
