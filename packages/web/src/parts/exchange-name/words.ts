/** Names of exchanges by their MIC, where the language has its own; the answers name them in English. */
export const en: Words = {}

export type Words = Readonly<Record<string, string>>
