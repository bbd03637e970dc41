/** Whole answers, one line per language of the product. The letters of one language may be an answer in another. */
const YES = toSet(
  'yes, y, yep, yeah, ok, okay, sure, go ahead, approve, approved, allow, confirm',
  'ja, jawohl, klar, gerne, in ordnung, erlauben, erlaubt, mach das',
  'sí, si, claro, vale, de acuerdo, adelante, permitir',
  "oui, ouais, d'accord, vas-y, allez-y, autoriser",
  'sì, certo, va bene, consenti, procedi',
  'sim, pode, pode fazer, tudo bem, permitir',
  'да, ага, хорошо, можно, разрешаю, давай',
  'ya, iya, boleh, setuju, izinkan, silakan',
  'はい, ええ, うん, いいよ, いいです, 許可, 許可します, お願いします',
  '네, 예, 응, 좋아요, 그래요, 허용, 승인',
  '是, 是的, 好, 好的, 可以, 行, 允许, 同意',
  'نعم, أجل, موافق, حسنا, حسنًا, اسمح',
  'हाँ, हां, जी, जी हाँ, ठीक है',
  'হ্যাঁ, হ্যা, জি, ঠিক আছে',
)
const NO = toSet(
  "no, n, nope, nah, deny, denied, don't, do not, refuse",
  'nein, nö, nee, lieber nicht, ablehnen, nicht erlauben',
  'no, mejor no, denegar, rechazar',
  'non, surtout pas, refuser',
  'no, meglio di no, rifiuta',
  'não, nao, melhor não, negar, recusar',
  'нет, не надо, нельзя, запретить',
  'tidak, jangan, tolak',
  'いいえ, いや, だめ, ダメ, 拒否, やめて',
  '아니요, 아니오, 아니, 안 돼요, 안돼요, 거부',
  '不, 不是, 不行, 不要, 不可以, 拒绝',
  'لا, كلا, ارفض',
  'नहीं, ना, मत करो',
  'না, করবেন না',
)

const THUMBS = { '👍': 'yes', '👎': 'no' } as const

/** Longer texts say more than yes or no. */
const LONGEST = 40

/**
 * The yes or no that a message consists of, without regard to case, punctuation and white space around it. Undefined for
 * a message with any other content.
 */
export function readYesOrNo(message: string): 'yes' | 'no' | undefined {
  if (message.length > LONGEST) return undefined
  const plain = message
    .normalize('NFC')
    .replaceAll(/[\p{Emoji_Modifier}\u{FE0F}]/gu, '')
    .replaceAll('’', "'")
    .replaceAll(/^[\s\p{Ps}\p{Pi}"¡¿]+|[\s.!,;…。！，、।"\p{Pe}\p{Pf}]+$/gu, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
  if (Object.hasOwn(THUMBS, plain)) return THUMBS[plain as keyof typeof THUMBS]
  if (YES.has(plain)) return 'yes'
  return NO.has(plain) ? 'no' : undefined
}

function toSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(', ')).map((word) => word.normalize('NFC')))
}
