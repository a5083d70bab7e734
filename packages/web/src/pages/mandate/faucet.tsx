import { callData, checkedCall, type PreparedCall } from '../../lib/chain.ts'
import { TxFlow } from '../../parts/tx-flow/tx-flow.tsx'
import type { ActWords } from './act-words.ts'
import type { ActPlace } from './acts.ts'
import styles from './mandate.module.css'

interface FaucetProps {
  /** Null where no test money can be had. */
  readonly call: PreparedCall | null
  readonly place: ActPlace
  readonly words: ActWords
}

/** Test money of a test chain. */
export function Faucet({ call, place, words }: FaucetProps) {
  const { publicId, usdc, chainId } = place
  if (call === null || usdc === null) return null
  const order = {
    key: `${publicId}/faucet`,
    prepare: async () => checkedCall(call, { to: usdc, data: callData.faucet(), chainId }),
    record: async () => 'recorded' as const,
    happened: async () => false,
  }
  return (
    <details className={styles['fine']}>
      <summary>{words.add.faucet}</summary>
      <p>{words.add.faucetHint}</p>
      <TxFlow order={order} act={words.add.faucet} kind="plain" onDone={() => undefined} />
    </details>
  )
}
