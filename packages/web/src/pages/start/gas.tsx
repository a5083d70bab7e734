import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { useConfig } from '../../lib/config.ts'
import { shownEther } from '../../lib/money.ts'
import { useSession } from '../../lib/reads.ts'
import { etherOf } from '../../lib/receipts.ts'
import { signerOf } from '../../lib/wallets.ts'
import { Button } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Note } from '../../parts/note/note.tsx'
import { useWords } from './use-words.ts'

/** Below this balance a transaction may fail for want of a fee, in wei. */
const LOW = 500_000_000_000_000n

/** Returns what the wallet has for fees; null if it does not tell. */
const useEther = () => {
  const account = useSession()?.wallet
  return useQuery({
    queryKey: ['ether', account],
    enabled: account !== undefined,
    refetchInterval: 5_000,
    queryFn: async () => {
      if (account === undefined) return null
      return etherOf((await signerOf(account)).provider, account).catch(() => null)
    },
    retry: false,
  })
}

/** Test ether for a wallet that has too little of it. Nothing stands here when there is enough. */
export function Gas() {
  const { money } = useWords()
  const { data: config } = useConfig()
  const ether = useEther()
  const [said, setSaid] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [key] = useState(() => crypto.randomUUID())
  const wei = ether.data
  if (config?.chain.test !== true || wei === undefined || wei === null || wei >= LOW) return null
  const drip = () => {
    setError(null)
    api('POST /hub/gas/drip', {}, { idempotencyKey: key }).then(({ status }) => {
      setSaid(money.gas.status[status])
      void ether.refetch()
    }, setError)
  }
  return (
    <li>
      <Note
        kind="held"
        title={money.gas.title}
        {...(said === null ? { action: <Button onClick={drip}>{money.gas.act}</Button> } : {})}
      >
        <p>{said ?? money.gas.low(shownEther(wei))}</p>
        {error !== null && <Failed error={error} again={drip} />}
      </Note>
    </li>
  )
}
