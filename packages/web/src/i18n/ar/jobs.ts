import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'ar'> = {
  title: 'المهام',
  intro: 'كل ما يعمله Capstan من دونك، الأحدث أولًا.',
  loadFailed: 'تعذّر تحميل المهام',
  empty: {
    text: 'تظهر هنا الجداول الزمنية والمشغّلات ومزامنة التطبيقات.',
  },
  none: {
    title: 'لا مهمة مطابقة',
    reset: 'عرض كل المهام',
  },
  kind: 'النوع',
  state: 'الحالة',
  all: 'الكل',
  kinds: {
    sync: 'مزامنة',
    schedule: 'جدول زمني',
    trigger: 'مشغّل',
    watch: 'إنصات',
  },
  states: {
    waiting: 'في الانتظار',
    running: 'قيد التشغيل',
    paused: 'متوقفة مؤقتًا',
    done: 'تمت',
    failed: 'فشلت',
    cancelled: 'أُلغيت',
  },
  next: 'المرة التالية',
  last: 'المرة الأخيرة',
  attempts: 'محاولات فاشلة: {{number}}',
  progress: 'اطُّلع على {{seen}} من نحو {{expected}}',
  progressOpen: 'اطُّلع حتى الآن على: {{seen}}',
  actions: {
    pause: 'إيقاف مؤقت',
    resume: 'استئناف',
    run: 'تشغيل الآن',
    cancel: 'إنهاء نهائي',
  },
  cancelAsk: {
    title: 'إنهاء «{{title}}» نهائيًا؟',
    text: 'تتوقف ولا تعمل مجددًا. لإيقافها بعض الوقت، أوقفها مؤقتًا بدلًا من ذلك.',
  },
  more: 'عرض المزيد من المهام',
}
