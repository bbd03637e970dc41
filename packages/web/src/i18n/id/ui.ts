import type { Translation } from '../locale.ts'

export const ui: Translation<'ui', 'id'> = {
  loading: 'Memuat…',
  close: 'Tutup',
  cancel: 'Batal',
  retry: 'Coba lagi',
  errorTitle: 'Ini tidak dapat ditampilkan',
  copy: 'Salin',
  copied: 'Tersalin',
  copyFailed: 'Tidak dapat disalin. Pilih teksnya dan salin sendiri.',
  undo: 'Urungkan',
  dismiss: 'Sembunyikan',
  notifications: 'Pemberitahuan',
  tokens_other: '{{count}} token',
}
