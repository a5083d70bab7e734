import { sameAddress } from '@svc/limits'
import type { ReactNode } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { selectors } from '../../lib/chain.ts'
import { useConfig } from '../../lib/config.ts'
import type { DemoAsk } from '../../lib/demo-wallet.ts'
import { shownEther, shownUnits } from '../../lib/money.ts'
import { useRead } from '../../lib/reads.ts'
import { UNLIMITED, walletCallOf } from '../../lib/wallet-call.ts'
import { CallLine } from '../call/call.tsx'
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
    case 'eth_sendTransaction':
      return (
        <Shown title={words.transaction}>
          <Transaction call={(params[0] ?? {}) as Sent} words={words} />
        </Shown>
      )
  }
}

type Sent = Readonly<Partial<Record<'from' | 'to' | 'data' | 'value', string>>>

/** All that is sent: the function with its arguments in words, and its bytes. */
function Transaction({ call, words }: { readonly call: Sent; readonly words: Words }) {
  const data = call.data ?? '0x'
  const selector = data.slice(0, 10)
  return (
    <>
      <dl className={styles['members']}>
        <Member name={words.calls}>{words.functions[selector] ?? selector}</Member>
        <Member name={words.to}>
          <code>{call.to}</code>
        </Member>
        <Arguments call={call} data={data} words={words} />
        <Member name={words.value}>{shownEther(BigInt(call.value ?? '0x0'))} ETH</Member>
      </dl>
      <details className={styles['raw']}>
        <summary>{words.raw}</summary>
        <code>{data}</code>
      </details>
    </>
  )
}

/** The arguments of a call, as far as they are read from its bytes alone. */
function Arguments({ call, data, words }: { readonly call: Sent; readonly data: string; readonly words: Words }) {
  const { data: config } = useConfig()
  const read = walletCallOf(data)
  // The bytes of an amount do not say of which token it is; the gateway names the one of the vaults.
  const isUsdc = config?.usdc != null && sameAddress(config.usdc, call.to ?? '')
  const amount = (units: bigint) => words.usdc(shownUnits(units))
  switch (read?.name) {
    case undefined:
      return data.startsWith(selectors.createVault) ? null : <Member name={words.arguments}>{words.unread}</Member>
    case 'approve':
      return (
        <>
          <Member name={words.spender}>
            <code>{read.spender}</code>
          </Member>
          <Member name={words.amount}>
            {read.amount === UNLIMITED
              ? words.unlimited
              : isUsdc
                ? amount(read.amount)
                : words.ofToken(`${read.amount}`)}
          </Member>
        </>
      )
    case 'deposit':
      return <Member name={words.amount}>{amount(read.amount)}</Member>
    case 'setAgent':
      return (
        <Member name={words.agent}>
          <code>{read.agent}</code>
        </Member>
      )
    case 'withdrawAll':
      return (
        <>
          <Member name={words.amount}>{words.everything}</Member>
          <Member name={words.recipient}>
            {words.owner} <code>{call.from}</code>
          </Member>
        </>
      )
    case 'execute':
    case 'unwind':
      return <Inner call={read} words={words} amount={read.amount === null ? null : amount(read.amount)} />
    default:
      return null
  }
}

interface InnerProps {
  readonly call: { readonly target: string; readonly data: string }
  /** The most that the contract may take; null for nothing. */
  readonly amount: string | null
  readonly words: Words
}

/** The call that a vault passes on to a contract. */
function Inner({ call, amount, words }: InnerProps) {
  const markets = useRead('GET /hub/markets', {}, { asVisitor: true })
  return (
    <>
      <Member name={words.contract}>
        <code>{call.target}</code>
      </Member>
      <Member name={words.does}>
        <CallLine call={call} markets={markets.data?.items ?? (markets.error === null ? undefined : [])} />
      </Member>
      {amount !== null && <Member name={words.atMost}>{amount}</Member>}
    </>
  )
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
