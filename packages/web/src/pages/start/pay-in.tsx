import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { takesBatches } from '../../lib/batch.ts'
import { callData, checkedCall, ForeignCall } from '../../lib/chain.ts'
import { readConfig, useConfig } from '../../lib/config.ts'
import { session } from '../../lib/session.ts'
import { exactAmount, shownAmount, typedUnits } from '../../lib/money.ts'
import { useSession } from '../../lib/reads.ts'
import { allowanceOf, usdcOf } from '../../lib/receipts.ts'
import type { Address } from '../../lib/wallet.ts'
import { signerOf } from '../../lib/wallets.ts'
import { Field } from '../../parts/field/field.tsx'
import { TxFlow } from '../../parts/tx-flow/tx-flow.tsx'
import type { TxOrder } from '../../parts/tx-flow/use-tx.ts'
import { recorded } from './record-tx.ts'
import { Task } from './task.tsx'
import { useWords } from './use-words.ts'
import styles from './start.module.css'

interface PayInProps {
  readonly publicId: string
  /** The vault that the factory puts the terms at. */
  readonly vault: Address
  readonly principal: bigint
  readonly budget: bigint
  /** Worth at which the vault shuts the agent out; the mandate works above it. */
  readonly stopLine: bigint
  readonly done: boolean
  /** Called with all that was paid in. */
  readonly onDone: (total: bigint) => void
}

/** What the wallet says of the owner's USDC; null for what it does not tell. */
function useHoldings(vault: Address) {
  const { data: config } = useConfig()
  const account = useSession()?.wallet
  const usdc = config?.usdc
  return useQuery({
    queryKey: ['usdc', account, vault],
    enabled: account !== undefined && config !== undefined && usdc !== null,
    refetchInterval: 4_000,
    retry: false,
    queryFn: async () => {
      if (account === undefined || usdc === undefined || usdc === null || config === undefined) return null
      const signer = await signerOf(account)
      const [balance, allowance, batches] = await Promise.all([
        usdcOf(signer.provider, usdc, account),
        allowanceOf(signer.provider, usdc, account, vault),
        takesBatches(signer, config.chain),
      ])
      return { balance, allowance, batches }
    },
  })
}

/** Pays into the vault: the amount, test money where it lacks, the allowance, and the deposit. */
export function PayIn({ publicId, vault, principal, budget, stopLine, done, onDone }: PayInProps) {
  const { money } = useWords()
  const holdings = useHoldings(vault)
  const room = budget > principal ? budget - principal : 0n
  const [typed, setTyped] = useState<string | null>(null)
  const [allowed, setAllowed] = useState(false)
  if (done)
    return (
      <>
        <Task at={2} title={money.allow.done} state="done" />
        <Task at={3} title={money.pay.done(shownAmount(principal))} state="done" />
      </>
    )
  const text = typed ?? exactAmount(room)
  const units = typedUnits(text)
  const balance = holdings.data?.balance ?? null
  const fault =
    units === null || units === 0n ? money.tooLittle : units > room ? money.tooMuch(shownAmount(room)) : null
  const lacks = fault === null && units !== null && balance !== null && balance < units
  const isAllowed = allowed || (units !== null && (holdings.data?.allowance ?? 0n) >= units && units > 0n)
  const orders = ordersOf({ publicId, vault, units: units ?? 0n, principal })
  const batches = holdings.data?.batches === true
  const hints = [
    money.room(shownAmount(room)),
    ...(balance === null ? [] : [money.has(shownAmount(balance))]),
    ...(stopLine === 0n ? [] : [money.above(shownAmount(stopLine))]),
  ]
  const paid = () => onDone(principal + (units ?? 0n))
  return (
    <>
      <Task
        at={2}
        title={batches ? money.oneGo.title : money.allow.title}
        hint={batches ? money.oneGo.hint : money.allow.hint}
        state={isAllowed ? 'done' : 'now'}
      >
        <div className={styles['amount']}>
          <Field
            label={money.amount}
            unit="USDC"
            inputMode="decimal"
            autoComplete="off"
            value={text}
            onChange={setTyped}
            disabled={isAllowed}
            hint={hints.join(' ')}
            fault={fault}
          />
        </div>
        {lacks && <Faucet publicId={publicId} balance={balance} onDone={() => void holdings.refetch()} />}
        {!isAllowed && !lacks && (
          <div className={styles['act']}>
            <TxFlow
              key={batches ? 'batch' : text}
              order={batches ? orders.both : orders.allow}
              act={batches ? money.oneGo.act : money.allow.act}
              disabled={fault !== null}
              onDone={batches ? paid : () => setAllowed(true)}
            />
          </div>
        )}
      </Task>
      {!batches && (
        <Task
          at={3}
          title={money.pay.title}
          {...(isAllowed ? { hint: money.pay.hint } : {})}
          state={isAllowed ? 'now' : 'later'}
        >
          {isAllowed && (
            <div className={styles['act']}>
              <TxFlow order={orders.deposit} act={`${money.pay.act} ${shownAmount(units ?? 0n)} USDC`} onDone={paid} />
            </div>
          )}
        </Task>
      )}
    </>
  )
}

interface Payment {
  readonly publicId: string
  readonly vault: Address
  readonly units: bigint
  readonly principal: bigint
}

interface Orders {
  readonly allow: TxOrder
  readonly deposit: TxOrder
  readonly both: TxOrder
}

/** Reads the calls of a payment and compares them with what this page writes: address, function, length and amount. */
async function checkedCalls({ publicId, vault, units }: Payment) {
  const [{ calls }, config] = await Promise.all([
    api('GET /hub/mandates/{public_id}/fund', { public_id: publicId, amount_usdc: exactAmount(units) }),
    readConfig(),
  ])
  if (calls === null || config.usdc === null) throw new ForeignCall([])
  const chainId = config.chain.id
  return {
    approve: checkedCall(calls.approve, { to: config.usdc, data: callData.approve(vault, units), chainId }),
    deposit: checkedCall(calls.deposit, { to: vault, data: callData.deposit(units), chainId }),
  }
}

function ordersOf(payment: Payment): Orders {
  const { publicId, vault, units, principal } = payment
  const record: TxOrder['record'] = (hash) =>
    recorded(() =>
      api(
        'POST /hub/mandates/{public_id}/vault-tx',
        { public_id: publicId, kind: 'deposit', tx_hash: hash, amount_usdc: exactAmount(units) },
        { idempotencyKey: crypto.randomUUID() },
      ),
    )
  const happened = async () => {
    const { chain_state: books } = await api('GET /hub/mandates/{public_id}', { public_id: publicId })
    return books !== null && (typedUnits(books.principal_usdc) ?? 0n) > principal
  }
  return {
    allow: {
      key: `${publicId}/approve`,
      prepare: async () => (await checkedCalls(payment)).approve,
      // An allowance is no entry of the record: the receipt is all there is.
      record: () => Promise.resolve('recorded'),
      happened: async () => {
        const config = await readConfig()
        const account = session.get()?.wallet
        if (account === undefined || config.usdc === null) return false
        const { provider } = await signerOf(account)
        return ((await allowanceOf(provider, config.usdc, account, vault)) ?? 0n) >= units
      },
    },
    deposit: {
      key: `${publicId}/deposit`,
      prepare: async () => (await checkedCalls(payment)).deposit,
      record,
      happened,
    },
    both: {
      key: `${publicId}/deposit`,
      prepare: async () => {
        const { approve, deposit } = await checkedCalls(payment)
        return [approve, deposit]
      },
      record,
      happened,
    },
  }
}

interface FaucetProps {
  readonly publicId: string
  readonly balance: bigint
  readonly onDone: () => void
}

/** Test USDC of a test chain, by the wallet itself. */
function Faucet({ publicId, balance, onDone }: FaucetProps) {
  const { money } = useWords()
  const { data: config } = useConfig()
  if (config?.chain.test !== true) return <p className={styles['fault']}>{money.lacking(shownAmount(balance))}</p>
  const order: TxOrder = {
    key: `${publicId}/faucet`,
    prepare: async () => {
      const { faucet } = await api('GET /hub/mandates/{public_id}/fund', { public_id: publicId })
      const { usdc, chain } = await readConfig()
      if (faucet === null || usdc === null) throw new ForeignCall([])
      return checkedCall(faucet, { to: usdc, data: callData.faucet(), chainId: chain.id })
    },
    record: () => Promise.resolve('recorded'),
    happened: async () => {
      const account = session.get()?.wallet
      const { usdc } = await readConfig()
      if (account === undefined || usdc === null) return false
      return ((await usdcOf((await signerOf(account)).provider, usdc, account)) ?? 0n) > balance
    },
  }
  return (
    <div className={styles['faucet']}>
      <p>
        <strong>{money.faucet.title}.</strong> {money.faucet.hint}
      </p>
      <TxFlow order={order} act={money.faucet.act} kind="plain" onDone={onDone} />
    </div>
  )
}
