import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useChainName } from '../../i18n/chain-name.ts'
import { useConfig } from '../../lib/config.ts'
import { shownAmount, typedUnits, UNKNOWN, unitsOf } from '../../lib/money.ts'
import type { QrCode } from '../../lib/qr.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import { chainOf } from '../../lib/wallet.ts'
import { signerOf } from '../../lib/wallets.ts'
import { Amount } from '../../parts/amount/amount.tsx'
import { Button, ButtonLink } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Field } from '../../parts/field/field.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Stranger } from '../../parts/stranger/stranger.tsx'
import { pages } from '../../routes.ts'
import { useWords } from './use-words.ts'
import styles from './deposit.module.css'

/** The address of a vault of the owner, to compare, copy or scan, with what can go wrong on the way. */
export function VaultAddress({ publicId }: { readonly publicId: string }) {
  const words = useWords()
  const chainName = useChainName()
  const fund = useRead('GET /hub/mandates/{public_id}/fund', { public_id: publicId })
  const { data: mandate } = useRead('GET /hub/mandates/{public_id}', { public_id: publicId })
  const { data: config } = useConfig()
  const [typed, setTyped] = useState('')
  const isElsewhere = useIsElsewhere()
  const network = config?.chain.name ?? UNKNOWN
  return (
    <Card
      title={words.vault}
      aside={
        <ButtonLink kind="text" to={pages.deposit}>
          {words.another}
        </ButtonLink>
      }
    >
      <Read of={fund}>
        {({ vault, room_usdc }) => {
          const room = unitsOf(room_usdc)
          const units = typedUnits(typed)
          const isOver = units !== null && units > room
          return (
            <div className={styles['vault']}>
              {mandate !== undefined && (
                <div className={styles['mandate']}>
                  <Stranger text={mandate.name} />
                </div>
              )}
              <Note
                kind="note"
                action={
                  <ButtonLink kind="act" to={`${pages.start}?mandate=${publicId}`}>
                    {words.payIn}
                  </ButtonLink>
                }
              >
                {words.better}
              </Note>
              <Address address={vault} />
              <Note kind="held">{words.only('USDC', config === undefined ? network : chainName(config.chain))}</Note>
              {isElsewhere && (
                <Note kind="out" urgent>
                  {words.otherNetwork(network)}
                </Note>
              )}
              <p>
                {words.room}: <Amount units={room} unit="USDC" />
              </p>
              <Field
                label={words.amount}
                unit="USDC"
                inputMode="decimal"
                value={typed}
                onChange={setTyped}
                hint={words.amountHint}
                fault={isOver ? words.over(shownAmount(room)) : null}
              />
            </div>
          )
        }}
      </Read>
    </Card>
  )
}

/** Whether the wallet of the session stands on another network; false while no wallet tells. */
function useIsElsewhere(): boolean {
  const account = useSession()?.wallet
  const { data: config } = useConfig()
  const chain = useQuery({
    queryKey: ['wallet-chain', account],
    enabled: account !== undefined,
    refetchInterval: 5_000,
    retry: false,
    queryFn: async () => {
      if (account === undefined) return null
      try {
        return await chainOf((await signerOf(account)).provider)
      } catch {
        return null
      }
    },
  })
  return config !== undefined && typeof chain.data === 'number' && chain.data !== config.chain.id
}

/** Four digits at a time can be compared by eye. */
const groupsOf = (address: string): readonly string[] => address.slice(2).match(/.{1,4}/g) ?? []

function Address({ address }: { readonly address: string }) {
  const words = useWords()
  const [copied, setCopied] = useState(false)
  const [code, setCode] = useState<QrCode | null>(null)
  const copy = () => void navigator.clipboard.writeText(address).then(() => setCopied(true))
  const scan = () => void import('../../lib/qr.ts').then(({ qrCode }) => setCode(qrCode(address)))
  return (
    <div>
      <p className={styles['address']} aria-label={address}>
        <span aria-hidden="true">0x</span>
        {groupsOf(address).map((group, at) => (
          // Groups of an address have no identity and never move.
          <span key={at} aria-hidden="true">
            {group}
          </span>
        ))}
      </p>
      <div className={styles['ways']}>
        <Button onClick={copy}>{copied ? words.copied : words.copy}</Button>
        {code === null && <Button onClick={scan}>{words.scan}</Button>}
      </div>
      {code !== null && <Code code={code} told={words.code(address)} />}
    </div>
  )
}

/** Light modules around a code, so that cameras find it. */
const QUIET = 4

function Code({ code, told }: { readonly code: QrCode; readonly told: string }) {
  const size = code.length + 2 * QUIET
  const path = code
    .flatMap((row, at) => row.map((dark, column) => (dark ? `M${column + QUIET} ${at + QUIET}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className={styles['code']}
      role="img"
      aria-label={told}
      shapeRendering="crispEdges"
    >
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
