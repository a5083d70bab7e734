import { useState } from 'react'
import { exactAmount, shownAmount, typedUnits, unitsOf } from '../../lib/money.ts'
import { useRead } from '../../lib/reads.ts'
import { Button } from '../../parts/button/button.tsx'
import { Field } from '../../parts/field/field.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Read } from '../../parts/read/read.tsx'
import { TxFlow } from '../../parts/tx-flow/tx-flow.tsx'
import { Over, type ActProps } from './act-parts.tsx'
import { PaymentTerms } from './consent.tsx'
import { Faucet } from './faucet.tsx'
import { fundingOrders } from './acts.ts'
import styles from './mandate.module.css'

/** Pays money into the vault: an amount that fits into the budget, the permission for exactly it, and the payment. */
export function AddMoney(props: ActProps) {
  const fund = useRead('GET /hub/mandates/{public_id}/fund', { public_id: props.place.publicId })
  return (
    <Read of={fund}>{({ room_usdc, faucet }) => <Paying {...props} room={unitsOf(room_usdc)} faucet={faucet} />}</Read>
  )
}

interface PayingProps extends ActProps {
  readonly room: bigint
  readonly faucet: Parameters<typeof Faucet>[0]['call']
}

function Paying({ place, words, room, faucet, onClose, onDone }: PayingProps) {
  const [typed, setTyped] = useState('')
  const [units, setUnits] = useState<bigint | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const { add } = words
  const goOn = () => {
    const value = typedUnits(typed)
    if (value === null || value === 0n) return setFault(add.notAmount)
    if (value > room) return setFault(add.tooMuch(shownAmount(room)))
    setFault(null)
    setUnits(value)
  }
  if (units === null)
    return (
      <form
        className={styles['dialog']}
        onSubmit={(event) => {
          event.preventDefault()
          goOn()
        }}
      >
        <p>{room === 0n ? add.noRoom : add.room(shownAmount(room))}</p>
        {room > 0n && (
          <>
            <Field
              label={add.amount}
              unit="USDC"
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              onChange={setTyped}
              fault={fault}
            />
            <div className={styles['row']}>
              <Button kind="act" type="submit">
                {add.goOn}
              </Button>
              <Button kind="text" onClick={onClose}>
                {add.keep}
              </Button>
            </div>
          </>
        )}
        <Faucet call={faucet} place={place} words={words} />
      </form>
    )
  return <Stages {...{ place, words, units, onClose, onDone }} />
}

/** The two transactions of a payment, one after the other. */
function Stages({ place, words, units, onClose, onDone }: Omit<ActProps, 'scene'> & { readonly units: bigint }) {
  const [stage, setStage] = useState<'allow' | 'pay' | 'done'>('allow')
  const { add } = words
  if (stage === 'done') return <Over text={add.done} words={words} onClose={onClose} />
  const amount = exactAmount(units)
  const [allow, pay] = fundingOrders(units, amount, place)
  return (
    <div className={styles['dialog']}>
      {stage === 'allow' ? (
        <>
          <PaymentTerms kind="allow" units={units} place={place} words={words} />
          <TxFlow
            key="allow"
            order={allow}
            act={add.allow(shownAmount(units))}
            keep={{ text: add.keep, onClick: onClose }}
            onDone={() => setStage('pay')}
          />
        </>
      ) : (
        <>
          <Note kind="inside">{add.allowed(shownAmount(units))}</Note>
          <PaymentTerms kind="pay" units={units} place={place} words={words} />
          <TxFlow
            key="pay"
            order={pay}
            act={add.pay(shownAmount(units))}
            keep={{ text: add.keep, onClick: onClose }}
            onDone={() => {
              setStage('done')
              onDone()
            }}
          />
        </>
      )}
    </div>
  )
}
