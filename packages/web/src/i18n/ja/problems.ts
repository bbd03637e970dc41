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
  'needs-card': 'この質問は一言では答えられません。カードで答えてください。',
  'storage-full':
    '所有者から割り当てられた容量を使い切りました。不要になった会話を削除してください。ファイルと長い出力が最も容量を使います。',
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
    'when-unclear':
      'はっきりしません。「every weekday at 8」や「every 2 hours」のように英語で書くか、5 つの欄の cron 行を入力してください。',
    'when-no-time': '「at 8:00」のように時刻を書いてください。',
    'when-mixed': '時刻の分が異なります。それぞれにスケジュールを追加してください。',
    'when-often': '頻度が高すぎます。15 分ごとまでです。',
    'when-never': 'この時刻は来ません。',
    'bad-zone': 'そのタイムゾーンはありません。Europe/Berlin のような名前を入力してください。',
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
    embeddings: { name: '埋め込みモデル', about: 'メモリを意味でも検索できるかどうか。' },
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
  findings: {
    node: 'Node {{version}}。',
    store: '{{folder}} のデータは読み書きできます。',
    'store-replaced': '起動時に保存データが置き換えられました: {{detail}}',
    disk: '空き容量は {{size}} です。',
    model: '{{model}} は設定済みです。',
    'model-demo': '台本どおりに答えるデモモデルを使用中です。',
    'model-unusable': '選んだモデルは使えません: {{detail}}',
    apps: '認識しているアプリ: {{known}}、接続済み: {{connected}}。',
    'apps-unsure':
      '認識しているアプリ: {{known}}、接続済み: {{connected}}。一部には問い合わせできませんでした。',
    'apps-broken': '認識しているアプリ: {{known}}、接続済み: {{connected}}。使えないもの: {{names}}。',
    sandbox: 'プログラムは隔離されています。テストプログラムからデータフォルダーは見えませんでした。',
    'sandbox-off': 'プログラムは隔離されず、このユーザーのすべての権限で動きます。',
    'sandbox-unavailable': 'ここではプログラムを隔離できません: {{detail}}',
    'sandbox-unlimited': 'プログラムは隔離されていますが、同時に起動するプロセスの数は制限されていません。',
    demo: 'Notes は {{address}} で応答しています。',
    'demo-off': 'オフになっています。',
    'demo-silent': 'Notes が応答しません。',
    web: 'ビルド済みです。',
    'web-elsewhere': 'ここからは配信していません。',
    'web-missing': 'ビルドされていません。',
    embeddings: '{{model}} が設定されています。メモリの {{total}} 件中 {{done}} 件にベクトルがあります。',
    'embeddings-off': '設定されていません。メモリは言葉で検索されます。',
    'embeddings-failing':
      'メモリの {{total}} 件中 {{done}} 件に {{model}} のベクトルがあります。直前の試行は失敗しました: {{detail}}',
    'embeddings-unusable': '選択した埋め込みモデルは使えません: {{detail}}',
    clock: '時計は {{time}} を示しています。',
    'clock-behind': '時計は {{time}} ですが、それより後の会話があります。',
    unchecked: '確認できませんでした: {{detail}}',
  },
  remedies: {
    node: 'Node {{oldest}} 以降をインストールしてください。',
    store: '足りないものがあれば「backups」フォルダーを見てください。',
    'disk-soon': 'いっぱいになる前にディスクの空きを増やしてください。',
    'disk-now': 'ディスクの空きを増やしてください。まもなく何も保存できなくなります。',
    model: '設定のボタンでテストできます。',
    'model-demo': '本物のモデルと話すには、設定でプロバイダーのキーを入力するか、Ollama を起動してください。',
    'model-unusable': '設定で別のモデルを選ぶか、そのキーを入力してください。',
    'apps-unsure': '少し待ってからもう一度お試しください。',
    'apps-broken': '接続のページでつなぎ直してください。',
    sandbox:
      'bubblewrap が動くまで、コマンドとプログラムは拒否されます。足りないものは「npx capstan doctor」で分かります。',
    'sandbox-unlimited':
      'Capstan を一般ユーザーで実行するか、書き込み可能な cgroup を与えるか（systemd: Delegate=yes）、Linux 6.14 以降を使ってください。',
    restart: 'サーバーを再起動してください。',
    'embeddings-unusable': '設定で別の埋め込みモデルを選ぶか、そのキーを入力してください。',
    clock: 'このコンピューターの時計を合わせてください。サインインと承認は時計に従います。',
  },
}
