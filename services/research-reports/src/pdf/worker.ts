import { makePdf, type MadePdf } from './document.ts'

/** Makes a report in this thread. */
export function render(inputsJson: string): Promise<MadePdf> {
  return makePdf(inputsJson)
}
