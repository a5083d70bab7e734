import type { ExampleAttempt, VerdictWords } from './docs-verdicts.ts'

/** Texts of the guides in one language; HTML. */
export interface GuideTexts {
  readonly group: string
  readonly index: { readonly title: string; readonly html: string }
  readonly start: { readonly title: string; html(base: string): string }
  readonly refusals: {
    readonly title: string
    readonly intro: string
    readonly after: string
    readonly cases: readonly (readonly [heading: string, text: string, caption: string, attempt: ExampleAttempt])[]
  }
  readonly verify: { readonly title: string; html(base: string): string }
  readonly verdicts: VerdictWords
}
