export const en = {
  title: 'Mandate',
}

export type Words = typeof en
