import type { Translation } from '../locale.ts'

export const problems: Translation<'problems', 'ko'> = {
  codes: {
    invalid: '입력한 내용 중 일부가 받아들여지지 않았습니다.',
    signed_out: '로그아웃되었습니다. 로그인 링크를 다시 여세요.',
    forbidden: '허용되지 않는 작업입니다.',
    login_again: '먼저 다시 로그인하세요. 이 변경은 Capstan이 실행되는 컴퓨터에 영향을 줍니다.',
    not_found: '존재하지 않거나 더 이상 없습니다.',
    conflict: '그사이에 변경되었습니다. 다시 확인한 뒤 시도하세요.',
    held: '모두 중지되었습니다. 해제한 다음 메시지를 다시 보내세요.',
    too_large: '크기가 너무 큽니다.',
    rate_limited: '조금 너무 빨랐습니다. 잠시 기다렸다가 다시 시도하세요.',
    limit_reached: '소유자가 정한 한도에 도달했습니다.',
    unavailable: '지금은 사용할 수 없습니다. 잠시 후 다시 시도하세요.',
    internal: '저희 쪽에서 문제가 생겼습니다. 다시 시도하고, 계속되면 진단을 실행하세요.',
  },
  other: '잘되지 않았습니다. 다시 시도하세요.',
  offline: 'Capstan에 연결할 수 없습니다. 실행 중인지 확인하세요.',
  fields: {
    'not-absolute': '/home/you/Documents처럼 전체 경로를 입력하세요.',
    'not-a-folder': '“{{value}}”은(는) 읽을 수 있는 폴더가 아닙니다.',
    'own-data': '“{{value}}”에는 Capstan 자체의 데이터가 있습니다. 다른 폴더를 고르세요.',
    'not-a-host': '“{{value}}”은(는) 호스트가 아닙니다. example.com이나 *.example.com처럼 입력하세요.',
    'host-too-wide': '“{{value}}”은(는) 누구의 호스트든 포함합니다. 자신의 도메인을 입력하세요.',
    'no-host': '호스트를 하나 이상 입력하세요.',
    'too-many': '최대 {{most}}개까지 가능합니다.',
    length: '{{least}}~{{most}}자를 입력하세요.',
    'bad-name': '글자, 숫자, 점, 하이픈, 밑줄만 쓸 수 있으며 최대 {{most}}자입니다.',
    taken: '“{{value}}”은(는) 이미 있습니다.',
    'not-a-key': '키처럼 보이지 않습니다.',
    'not-a-variable': '“{{value}}”은(는) 변수 이름이 아닙니다. 값 없이 이름만 입력하세요.',
  },
  checks: {
    node: {
      name: 'Node.js',
      about: 'Capstan이 실행되는 버전입니다.',
    },
    store: {
      name: '저장된 데이터',
      about: '대화를 읽고 쓸 수 있는지 확인합니다.',
    },
    disk: {
      name: '디스크 공간',
      about: '새 데이터를 저장할 공간이 있는지 확인합니다.',
    },
    model: {
      name: 'AI 모델',
      about: '선택한 모델을 사용할 수 있는지 확인합니다.',
    },
    apps: {
      name: '연결된 앱',
      about: '앱에 연결할 수 있는지 확인합니다.',
    },
    sandbox: {
      name: '격리',
      about: '이 컴퓨터의 명령과 프로그램을 격리할 수 있는지 여부입니다.',
    },
    'demo-app': {
      name: '데모 앱',
      about: 'Capstan에 포함된 Notes 앱이 실행 중인지 확인합니다.',
    },
    'web-app': {
      name: '웹 앱',
      about: '이 페이지들이 온전한지 확인합니다.',
    },
    clock: {
      name: '시계',
      about: '이 컴퓨터의 시간이 맞는지 확인합니다.',
    },
  },
  states: {
    ok: '모두 정상',
    warning: '확인 권장',
    failed: '조치 필요',
  },
}
