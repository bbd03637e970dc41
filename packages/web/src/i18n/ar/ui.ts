import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'ar'> = {
  loading: 'جارٍ التحميل…',
  close: 'إغلاق',
  cancel: 'إلغاء',
  retry: 'إعادة المحاولة',
  errorTitle: 'تعذّر عرض هذا',
  copy: 'نسخ',
  copied: 'تم النسخ',
  copyFailed: 'تعذّر النسخ. حدّد النص وانسخه بنفسك.',
  undo: 'تراجع',
  dismiss: 'إخفاء',
  notifications: 'الإشعارات',
  tokens_zero: 'لا رموز',
  tokens_one: 'رمز واحد',
  tokens_two: 'رمزان',
  tokens_few: '{{count}} رموز',
  tokens_many: '{{count}} رمزًا',
  tokens_other: '{{count}} رمز',
}
