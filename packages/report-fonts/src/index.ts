import { fileURLToPath } from 'node:url'

const file = (name: string) => fileURLToPath(new URL(`../fonts/${name}`, import.meta.url))

/**
 * TrueType files for documents in English and Korean: Noto Sans KR, reduced by `tools/lab/fonts` to Latin, common signs
 * and all Hangul. Digits have equal widths. SIL Open Font License 1.1, see `fonts/LICENSE`.
 */
export const reportFonts = { regular: file('regular.ttf'), bold: file('bold.ttf') } as const
