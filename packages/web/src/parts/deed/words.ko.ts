import type { Words } from './words.ts'

export const ko: Words = {
  version: '위임 약정서, 버전 2',
  owner: '소유자(본인)',
  agent: '에이전트',
  network: '네트워크',
  chain: (name, id) => `${name}, 체인 ${id}`,
  seal: '인장 자리',
  told: (head, tail) => `서명되었습니다. 다이제스트는 ${head}(으)로 시작해 ${tail}(으)로 끝납니다.`,
}
