import type { ReactNode } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import type { DemoAsk } from '../../lib/demo-wallet.ts'
import { shownEther } from '../../lib/money.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { Tag } from '../tag/tag.tsx'
import { en, type Words } from './words.ts'
import styles from './demo-prompt.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** A prompt of the demo wallet, where the window of a real wallet would open. It shows all that is signed or sent. */
export function DemoPrompt({ question }: { readonly question: DemoAsk }) {
  const words = useWords()
  const sends = question.method === 'eth_sendTransaction'
  return (
    <Dialog
      title={words.title}
      onClose={() => question.answer(false)}
      actions={
        <>
          <Button kind="act" onClick={() => question.answer(true)}>
            {sends ? words.send : words.sign}
          </Button>
          <Button kind="text" onClick={() => question.answer(false)}>
            {words.decline}
          </Button>
        </>
      }
    >
      <p className={styles['lead']}>
        <Tag kind="held">{words.mark}</Tag> {words.lead}
      </p>
      {contentOf(question, words)}
    </Dialog>
  )
}

function contentOf({ method, params }: DemoAsk, words: Words): ReactNode {
  switch (method) {
    case 'personal_sign':
      return (
        <Shown title={words.message}>
          <pre className={styles['text']}>{textOf(params[0])}</pre>
        </Shown>
      )
    case 'eth_signTypedData_v4':
      return (
        <Shown title={words.document}>
          <Members value={documentOf(params[1])} />
        </Shown>
      )
    case 'eth_sendTransaction': {
      const call = (params[0] ?? {}) as Readonly<Record<string, string | undefined>>
      const selector = call['data']?.slice(0, 10) ?? ''
      return (
        <Shown title={words.transaction}>
          <dl className={styles['members']}>
            <Member name={words.calls}>{words.functions[selector] ?? selector}</Member>
            <Member name={words.to}>
              <code>{call['to']}</code>
            </Member>
            <Member name={words.value}>{shownEther(BigInt(call['value'] ?? '0x0'))} ETH</Member>
          </dl>
        </Shown>
      )
    }
  }
}

/** What is signed can be long: it scrolls by keyboard too. */
function Shown({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles['shown']} aria-label={title} tabIndex={0}>
      {children}
    </section>
  )
}

function Member({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles['member']}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** All members of a document, as wallets show them. */
function Members({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null) return <bdi>{String(value)}</bdi>
  return (
    <dl className={styles['members']}>
      {Object.entries(value).map(([name, member]) => (
        <Member key={name} name={Array.isArray(value) ? String(Number(name) + 1) : name}>
          <Members value={member} />
        </Member>
      ))}
    </dl>
  )
}

/** Returns the text of bytes in hex. */
function textOf(bytes: unknown): string {
  const digits = typeof bytes === 'string' && bytes.startsWith('0x') ? (bytes.slice(2).match(/../g) ?? []) : []
  return new TextDecoder().decode(Uint8Array.from(digits, (digit) => Number.parseInt(digit, 16)))
}

/** Returns the members of typed data that are signed; the types say nothing to a reader. */
function documentOf(typedData: unknown): unknown {
  try {
    const { domain, message } = JSON.parse(String(typedData)) as { domain: unknown; message: unknown }
    return { domain, message }
  } catch {
    return typedData
  }
}
