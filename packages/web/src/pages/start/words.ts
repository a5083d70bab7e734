export const en = {
  title: 'Start',
}

export type Words = typeof en
