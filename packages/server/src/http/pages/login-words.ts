/** The words of the login page. `{user}` is the name of the user. */
interface LoginWords {
  readonly title: string
  readonly who: string
  readonly warning: string
  readonly button: string
}

const WORDS: Readonly<Record<string, LoginWords>> = {
  en: {
    title: 'Log in to Capstan?',
    who: 'This device will be logged in as {user}.',
    warning: 'Log in only if you asked for this link yourself.',
    button: 'Log in',
  },
  ar: {
    title: 'هل تريد تسجيل الدخول إلى Capstan؟',
    who: 'سيُسجَّل دخول هذا الجهاز باسم {user}.',
    warning: 'سجّل الدخول فقط إذا كنت قد طلبت هذا الرابط بنفسك.',
    button: 'تسجيل الدخول',
  },
  bn: {
    title: 'Capstan-এ লগ ইন করবেন?',
    who: 'এই ডিভাইসটি {user} হিসেবে লগ ইন হবে।',
    warning: 'শুধু তখনই লগ ইন করুন, যদি আপনি নিজে এই লিংকটি চেয়ে থাকেন।',
    button: 'লগ ইন',
  },
  de: {
    title: 'Bei Capstan anmelden?',
    who: 'Dieses Gerät wird als {user} angemeldet.',
    warning: 'Melde dich nur an, wenn du diesen Link selbst angefordert hast.',
    button: 'Anmelden',
  },
  es: {
    title: '¿Iniciar sesión en Capstan?',
    who: 'Este dispositivo iniciará sesión como {user}.',
    warning: 'Inicia sesión solo si tú has pedido este enlace.',
    button: 'Iniciar sesión',
  },
  fr: {
    title: 'Se connecter à Capstan ?',
    who: 'Cet appareil sera connecté en tant que {user}.',
    warning: 'Connectez-vous seulement si vous avez demandé ce lien vous-même.',
    button: 'Se connecter',
  },
  hi: {
    title: 'Capstan में लॉग इन करें?',
    who: 'यह डिवाइस {user} के रूप में लॉग इन होगा।',
    warning: 'लॉग इन तभी करें, जब आपने यह लिंक ख़ुद माँगा हो।',
    button: 'लॉग इन करें',
  },
  id: {
    title: 'Masuk ke Capstan?',
    who: 'Perangkat ini akan masuk sebagai {user}.',
    warning: 'Masuklah hanya jika Anda sendiri yang meminta tautan ini.',
    button: 'Masuk',
  },
  it: {
    title: 'Accedere a Capstan?',
    who: 'Questo dispositivo accederà come {user}.',
    warning: 'Accedi solo se hai chiesto tu questo link.',
    button: 'Accedi',
  },
  ja: {
    title: 'Capstan にログインしますか？',
    who: 'このデバイスは {user} としてログインします。',
    warning: 'このリンクを自分で発行した場合にのみログインしてください。',
    button: 'ログイン',
  },
  ko: {
    title: 'Capstan에 로그인할까요?',
    who: '이 기기는 {user}(으)로 로그인됩니다.',
    warning: '이 링크를 직접 요청한 경우에만 로그인하세요.',
    button: '로그인',
  },
  pt: {
    title: 'Entrar no Capstan?',
    who: 'Este dispositivo vai entrar como {user}.',
    warning: 'Entre somente se foi você quem pediu este link.',
    button: 'Entrar',
  },
  ru: {
    title: 'Войти в Capstan?',
    who: 'На этом устройстве будет выполнен вход как {user}.',
    warning: 'Входите, только если вы сами запросили эту ссылку.',
    button: 'Войти',
  },
  'zh-CN': {
    title: '登录 Capstan？',
    who: '此设备将以 {user} 的身份登录。',
    warning: '仅当此链接是你自己请求的时，才登录。',
    button: '登录',
  },
}

const MAX_CHARS = 500

/** The words in the first language of the browser that is known here; else in English. */
export function chooseLoginWords(acceptLanguage: string | undefined): {
  readonly language: string
  readonly words: LoginWords
} {
  for (const part of (acceptLanguage ?? '').slice(0, MAX_CHARS).split(',')) {
    const [main = ''] = part.trim().toLowerCase().split(/[-;]/)
    const language = main === 'zh' ? 'zh-CN' : main
    const words = Object.hasOwn(WORDS, language) ? WORDS[language] : undefined
    if (words) return { language, words }
  }
  return { language: 'en', words: WORDS['en']! }
}
