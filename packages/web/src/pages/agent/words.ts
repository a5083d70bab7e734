export const en = {
  title: 'Agents',
}

export type Words = typeof en
