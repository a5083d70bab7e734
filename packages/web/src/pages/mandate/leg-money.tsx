import { useShared } from '../../i18n/index.tsx'
import { Note } from '../../parts/note/note.tsx'
import { distanceText, useNow } from '../../parts/time/time.tsx'
import { isNothing, showSigned, type Money } from './leg-figures.ts'
import type { LegWords } from './leg-words.ts'
import styles from './mandate.module.css'

interface LegMoneyProps {
  readonly money: Money
  readonly words: LegWords
}

/** After this time without a step money on its way is stuck, and the keeper withholds the worth. */
const STUCK_MS = 120_000

const isStuck = ({ since, reason, eta_seconds }: Money['moving'][number], now: number): boolean =>
  reason === 'leg_transfer_stuck' || (eta_seconds !== null && now - Date.parse(since) > STUCK_MS)

/** Where the money of the leg is: in the vault, on the way, at the venue, and what came back. */
export function LegMoney({ money, words }: LegMoneyProps) {
  const show = (text: string | null) => showSigned(text)
  const now = useNow()
  const out = money.moving.filter(({ direction }) => direction === 'out')
  const back = money.moving.filter(({ direction }) => direction === 'back')
  return (
    <>
      <ol className={styles['way']}>
        <Place name={words.way.vault} figure={show(money.vault_usdc)} has={!isNothing(money.vault_usdc)} />
        <Moving name={words.way.moving} rows={out} words={words} />
        <Place
          name={words.way.venue}
          figure={show(money.venue_estimate_usdc)}
          has={money.venue_estimate_usdc !== null && !isNothing(money.venue_estimate_usdc)}
        />
        {back.length > 0 && <Moving name={words.way.returning} rows={back} words={words} />}
        <Place name={words.way.back} figure={show(money.paid_out_usdc)} has={!isNothing(money.paid_out_usdc)} />
      </ol>
      {money.moving.some((row) => isStuck(row, now)) && <Note kind="held">{words.stuck}</Note>}
      {!isNothing(money.lent_usdc) && (
        <p className={styles['fine']} title={money.lent_note}>
          {words.lent(show(money.lent_usdc))}
        </p>
      )}
      {!isNothing(money.leg_debt_usdc) && <Note kind="held">{words.debt(show(money.leg_debt_usdc))}</Note>}
      {money.fee_owed_usdc != null && !isNothing(money.fee_owed_usdc) && !isNothing(money.leg_debt_usdc) && (
        <p className={styles['fine']}>{words.feeOwed(show(money.fee_owed_usdc), show(money.owed_usdc))}</p>
      )}
      {money.equation !== null && (
        <p className={money.equation.holds ? styles['fine'] : styles['wrong']}>
          {words.equation[money.equation.holds ? 'holds' : 'fails'](
            show(money.equation.left),
            show(money.equation.right),
          )}
        </p>
      )}
    </>
  )
}

interface PlaceProps {
  readonly name: string
  readonly figure: string
  readonly has: boolean
}

const Place = ({ name, figure, has }: PlaceProps) => (
  <li className={has ? styles['has'] : ''}>
    {name}
    <b>{figure}</b>
  </li>
)

interface MovingProps {
  readonly name: string
  readonly rows: Money['moving']
  readonly words: LegWords
}

/** Money between vault and venue, each transfer with where it stands, and how long it takes unless it is stuck. */
function Moving({ name, rows, words }: MovingProps) {
  const shared = useShared()
  const now = useNow()
  if (rows.length === 0)
    return (
      <li>
        {name}
        <b>{words.nothing}</b>
      </li>
    )
  return (
    <li className={styles['moves']}>
      {name}
      {rows.map((row) => (
        <span key={row.transfer_id}>
          <b>{showSigned(row.amount_usdc)}</b> {words.directions[row.direction]},{' '}
          {words.transfer[row.state] ?? row.state}
          {row.reason !== null && row.reason !== 'leg_transfer_stuck' && <bdi> ({row.reason})</bdi>}
          {row.eta_seconds === null
            ? `, ${words.waits}`
            : !isStuck(row, now) &&
              `, ${words.eta(distanceText(new Date(now + row.eta_seconds * 1000).toISOString(), now, shared))}`}
          <span className={styles['hint']}>, {words.moved(distanceText(row.since, now, shared))}</span>
        </span>
      ))}
    </li>
  )
}
