import type { Words } from './words.ts'

export const ko: Words = {
  label: '이 브라우저의 지갑',
  demo: '데모 지갑',
  demoHint: '로컬 테스트 체인의 지갑입니다. 설치할 것이 없고, 가치가 있는 돈도 없습니다.',
  none: '이 브라우저에서 지갑을 찾지 못했습니다',
  noneHint:
    '브라우저 확장 프로그램으로 지갑을 설치하거나, 휴대폰 지갑 앱의 브라우저에서 이 페이지를 여세요. 그런 다음 페이지를 다시 불러오세요.',
  unnamed: '이름 없는 지갑',
}
