import { openStore } from '../../lib/store.ts'
import type { Address } from '../../lib/wallet.ts'
import type { AmountName, Form, WireLimits } from './form.ts'

/** The agent that a person chose, with what its pairing says. */
export interface ChosenAgent {
  readonly id: number
  readonly name: string
  /** From the pairing; null for an agent that is not paired with the owner, whose wallet only the draft names. */
  readonly wallet: Address | null
}

/** Where a limit comes from, as the note's reading says. */
export interface Origin {
  readonly field: string
  readonly source: 'note' | 'preset'
  readonly words: string | null
}

/** What a person has filled in on the way to a mandate. It lives in memory alone, so signing in does not lose it. */
export interface Draft {
  readonly note: string
  readonly form: Form | null
  readonly origins: readonly Origin[]
  /** Fields that the person set by hand since the note was read. */
  readonly touched: readonly string[]
  readonly agent: ChosenAgent | null
  /** The stored draft; null before it is stored. */
  readonly publicId: string | null
  /** What the service stored, to compare it with the form; null before. */
  readonly stored: Omit<WireLimits, 'name'> | null
  /** The wallet that the service stored for the agent. */
  readonly storedAgent: Address | null
  /** The figures were read from the stored draft, because the page was loaded again. */
  readonly readBack: boolean
  /** The limits come from a strategy. */
  readonly fromStrategy: boolean
}

export const emptyDraft: Draft = {
  note: '',
  form: null,
  origins: [],
  touched: [],
  agent: null,
  publicId: null,
  stored: null,
  storedAgent: null,
  readBack: false,
  fromStrategy: false,
}

/** The draft of this tab. */
export const draft = openStore<Draft>(emptyDraft)

/** Changes a part of the draft. */
export const changeDraft = (part: Partial<Draft>): void => draft.set({ ...draft.get(), ...part })

/** Changes a part of the form by hand: the words of the note no longer say it. */
export function changeForm(field: string, part: Partial<Form>): void {
  const { form, touched } = draft.get()
  if (form === null) return
  changeDraft({ form: { ...form, ...part }, touched: [...touched.filter((name) => name !== field), field] })
}

/** Changes one amount by hand. */
export function changeAmount(name: AmountName, text: string): void {
  const { form } = draft.get()
  if (form !== null) changeForm(name, { amounts: { ...form.amounts, [name]: text } })
}

/** Members of the form that each limit of the note sets. */
const SETS: Readonly<Record<string, readonly (keyof Form)[]>> = {
  name: ['name'],
  approval_above_usdc: ['neverAsks'],
  stop_line_usdc: ['noStopLine'],
  markets: ['markets'],
  ends_at: ['endsAt'],
  fee_bps: ['fee'],
  leg_budget_usdc: ['legBudget'],
  public_proof: ['publicProof'],
}

/** Takes over what the note says. A limit set by hand stays unless the note itself has words for it. */
export function takeNote(read: Form, origins: readonly Origin[]): void {
  const { form, touched } = draft.get()
  const stays = touched.filter((field) => !origins.some((origin) => origin.field === field && origin.source === 'note'))
  if (form === null || stays.length === 0) return changeDraft({ form: read, origins, touched: [], fromStrategy: false })
  const kept = stays.flatMap((field) => (SETS[field] ?? []).map((member) => [member, form[member]] as const))
  const amounts = Object.fromEntries(
    Object.entries(read.amounts).map(([name, text]) => [
      name,
      stays.includes(name) ? form.amounts[name as AmountName] : text,
    ]),
  ) as Form['amounts']
  changeDraft({ form: { ...read, ...Object.fromEntries(kept), amounts }, origins, touched: stays, fromStrategy: false })
}
