import { Link } from 'wouter'
import { addressOf } from '../../routes.ts'
import styles from './pair-link.module.css'

/** The symbol of a pair; it leads to the page of the pair. */
export function PairLink({ pair }: { readonly pair: { readonly token_id: string; readonly symbol: string } }) {
  return (
    <Link href={addressOf('token', { token: pair.token_id })} className={styles['pair']}>
      <bdi>{pair.symbol}</bdi>
    </Link>
  )
}
