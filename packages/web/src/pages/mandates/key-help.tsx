import { Dialog } from '../../parts/dialog/dialog.tsx'
import styles from './mandates.module.css'
import type { Words } from './words.ts'

/** The keys of the page. */
export function KeyHelp({ words, onClose }: { readonly words: Words; readonly onClose: () => void }) {
  const { keys } = words
  const list = [
    ['j', keys.next],
    ['k', keys.previous],
    ['Enter', keys.enter],
    ['n', keys.start],
    ['/', keys.find],
    ['?', keys.help],
  ] as const
  return (
    <Dialog title={keys.title} onClose={onClose}>
      <dl className={styles['keys']}>
        {list.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd className={styles['kbd']}>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
