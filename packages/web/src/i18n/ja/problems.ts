import type { Translation } from '../locale.ts'

export const problems: Translation<'problems', 'ja'> = {
  codes: {
    invalid: '入力された内容の一部が受け付けられませんでした。',
    signed_out: 'サインアウトしています。ログインリンクをもう一度開いてください。',
    forbidden: 'これは許可されていません。',
    login_again:
      '先にもう一度ログインしてください。この変更は、Capstan が動いているコンピューターに影響します。',
    not_found: '存在しないか、すでになくなっています。',
    conflict: 'その間に変更されました。もう一度確認してから、やり直してください。',
    held: 'すべて停止しています。解除してから、もう一度メッセージを送ってください。',
    too_large: 'サイズが大きすぎます。',
    rate_limited: '少し速すぎました。少し待ってから、もう一度お試しください。',
    limit_reached: '所有者が設定した上限に達しました。',
    unavailable: '現在は利用できません。しばらくしてから、もう一度お試しください。',
    internal: 'こちら側で問題が起きました。もう一度お試しください。続くときは、診断を実行してください。',
  },
  other: 'うまくいきませんでした。もう一度お試しください。',
  offline: 'Capstan につながりません。起動しているか確認してください。',
  fields: {
    'not-absolute': '/home/you/Documents のように完全なパスを入力してください。',
    'not-a-folder': '「{{value}}」は読み取れるフォルダーではありません。',
    'own-data': '「{{value}}」には Capstan 自身のデータがあります。別のフォルダーを選んでください。',
    'not-a-host':
      '「{{value}}」はホストではありません。example.com や *.example.com のように入力してください。',
    'host-too-wide': '「{{value}}」は誰のホストにも当てはまります。自分のドメインを指定してください。',
    'no-host': 'ホストを 1 つ以上指定してください。',
    'too-many': '最大 {{most}} 件です。',
    length: '{{least}}～{{most}} 文字で入力してください。',
    'bad-name': '文字、数字、ドット、ハイフン、アンダースコアだけを使い、{{most}} 文字以内にしてください。',
    taken: '「{{value}}」はすでにあります。',
    'not-a-key': 'キーの形ではないようです。',
    'not-a-variable': '「{{value}}」は変数の名前ではありません。値を付けず、名前だけを入力してください。',
  },
  checks: {
    node: {
      name: 'Node.js',
      about: 'Capstan が動いているバージョン。',
    },
    store: {
      name: '保存データ',
      about: '会話を読み書きできるかどうか。',
    },
    disk: {
      name: 'ディスクの空き',
      about: '新しいデータを保存する余裕があるかどうか。',
    },
    model: {
      name: 'AI モデル',
      about: '選んだモデルが使えるかどうか。',
    },
    apps: {
      name: '接続済みのアプリ',
      about: 'アプリにつながるかどうか。',
    },
    sandbox: {
      name: '隔離',
      about: 'このコンピューターのコマンドとプログラムを隔離できるかどうか。',
    },
    'demo-app': {
      name: 'デモアプリ',
      about: 'Capstan 付属の Notes アプリが動いているかどうか。',
    },
    'web-app': {
      name: 'ウェブアプリ',
      about: 'この画面に必要なものがそろっているかどうか。',
    },
    clock: {
      name: '時計',
      about: 'このコンピューターの時刻が正しいかどうか。',
    },
  },
  states: {
    ok: '問題ありません',
    warning: '確認をおすすめします',
    failed: '対応が必要です',
  },
}
