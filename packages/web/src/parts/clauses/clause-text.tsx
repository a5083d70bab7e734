import styles from './clauses.module.css'

/** Addresses and selectors, which machines check, inside the words that people read. */
const CHECKED = /(0x[0-9a-fA-F]{40}|0x[0-9a-fA-F]{8})(?![0-9a-fA-F])/g

/** The text of a clause, with what machines check set in mono. Not a letter is added or left out. */
export function ClauseText({ text }: { readonly text: string }) {
  return text.split(CHECKED).map((piece, at) =>
    // Every second piece is a match. Pieces have no identity and never move.
    at % 2 === 1 ? (
      <code key={at} className={styles['checked']}>
        {piece}
      </code>
    ) : (
      piece
    ),
  )
}
