import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import type { PrivateKeyAccount } from 'viem/accounts'
import { signTypedData } from '../rig.ts'

/** The static page with which an owner leaves. */
export const exitPageHtml = readFileSync(new URL('../../../../../docs/exit-kit/index.html', import.meta.url), 'utf8')

/** Returns the text of the page's only element of this name. */
export function onlyElement(tag: 'script' | 'style'): string {
  const found = [...exitPageHtml.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text]) => text ?? '')
  if (found.length !== 1) throw new Error(`the page has ${found.length} elements ${tag}`)
  return found[0] ?? ''
}

type Listener = (event: { readonly target: Element }) => unknown

/** What the page uses of an element. */
class Element {
  readonly children: Element[] = []
  readonly attributes = new Map<string, string>()
  readonly #listeners = new Map<string, Listener>()
  textContent = ''
  value = ''
  files: { readonly size: number; text(): Promise<string> }[] = []
  readonly tag: string

  constructor(tag: string) {
    this.tag = tag
  }
  append(...children: Element[]): void {
    this.children.push(...children)
  }
  replaceChildren(): void {
    this.children.length = 0
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value)
  }
  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener)
  }
  focus(): void {}
  /** Calls the listener of an event and waits for it. */
  async fire(type: string): Promise<void> {
    await this.#listeners.get(type)?.({ target: this })
  }
  /** Returns the first element below that fits. */
  find(fits: (element: Element) => boolean): Element | undefined {
    for (const child of this.children) {
      const found = fits(child) ? child : child.find(fits)
      if (found !== undefined) return found
    }
    return undefined
  }
  get text(): string {
    return [this.textContent, ...this.children.map(({ text }) => text)].join(' ').trim()
  }
}

interface Asked {
  readonly method: string
  readonly params?: readonly unknown[]
}

/** A wallet that a page finds as `window.ethereum`; it signs for the chain that it is on only. */
export function injectedWallet(account: PrivateKeyAccount, chainId: number) {
  const wallet = {
    chainId,
    signed: [] as { message: object }[],
    sent: [] as unknown[],
    /** The next request fails with this. */
    failure: null as null | { readonly code: number; readonly message: string },
    request: async ({ method, params = [] }: Asked): Promise<unknown> => {
      const { failure } = wallet
      wallet.failure = null
      if (failure !== null) throw failure
      switch (method) {
        case 'eth_requestAccounts':
          return [account.address.toLowerCase()]
        case 'eth_chainId':
          return `0x${wallet.chainId.toString(16)}`
        case 'wallet_switchEthereumChain':
          wallet.chainId = Number((params[0] as { chainId: string }).chainId)
          return null
        case 'eth_sendTransaction':
          wallet.sent.push(params[0])
          return `0x${'ab'.repeat(32)}`
        case 'eth_signTypedData_v4': {
          const typedData = JSON.parse(String(params[1])) as { message: object; domain: { chainId: number } }
          if (typedData.domain.chainId !== wallet.chainId) throw new Error('Provided chainId must match the active one')
          wallet.signed.push(typedData)
          return signTypedData(account, typedData)
        }
        default:
          throw Object.assign(new Error(`${method} is not known`), { code: 4200 })
      }
    },
  }
  return wallet
}

/** Runs the script of the page; `now` is the time of the owner's machine. */
export function openExitPage(ethereum: object | undefined, now: () => number) {
  const byId = new Map<string, Element>()
  const getElementById = (id: string) => {
    const [, tag = '', text = ''] = new RegExp(`<(\\w+)[^>]*\\bid="${id}"[^>]*>([^<]*)`).exec(exitPageHtml) ?? []
    if (tag === '') throw new Error(`the page has no element ${id}`)
    const element = byId.get(id) ?? Object.assign(new Element(tag), { textContent: text.trim() })
    byId.set(id, element)
    return element
  }
  const document = { getElementById, createElement: (tag: string) => new Element(tag) }
  const globals = { document, window: { ethereum, fetch }, AbortSignal, Date: { now } }
  runInContext(onlyElement('script'), createContext(globals))
  const steps = getElementById('steps')
  const card = (title: string): Element => {
    const found = steps.children.find(({ children }) => children[0]?.text.endsWith(title))
    if (found === undefined) throw new Error(`the page shows no step ${title}`)
    return found
  }
  const part = (title: string, fits: (element: Element) => boolean): Element => {
    const found = card(title).find(fits)
    if (found === undefined) throw new Error(`the step ${title} has no such element`)
    return found
  }
  return {
    /** Chooses a file with this text; returns what the page says to it. */
    choose: async (text: string): Promise<string> => {
      const file = getElementById('file')
      file.files = [{ size: text.length, text: async () => text }]
      await file.fire('change')
      return getElementById('status').text
    },
    titles: () => steps.children.map(({ children }) => children[0]?.text),
    textOf: (title: string) => card(title).text,
    /** Fills a field of a step. */
    fill: (title: string, label: string, value: string) => {
      const input = part(title, ({ textContent }) => textContent === label).children[0]
      if (input !== undefined) input.value = value
    },
    /** Presses the button of a step; returns what its status says in the end. */
    press: async (title: string): Promise<string> => {
      await part(title, ({ tag }) => tag === 'button').fire('click')
      return part(title, ({ attributes }) => attributes.get('role') === 'status').text
    },
  }
}
