export const en = {
  title: 'Statement',
}

export type Words = typeof en
