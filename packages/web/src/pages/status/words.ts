export const en = {
  title: 'Status',
}

export type Words = typeof en
