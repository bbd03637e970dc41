import type { Translation } from '../locale.ts'

export const jobs: Translation<'jobs', 'id'> = {
  title: 'Tugas',
  intro: 'Semua pekerjaan yang dilakukan Capstan tanpa Anda, yang terbaru lebih dulu.',
  loadFailed: 'Tugas tidak dapat dimuat',
  empty: {
    text: 'Jadwal, pemicu, dan sinkronisasi aplikasi muncul di sini.',
  },
  none: {
    title: 'Tidak ada tugas yang cocok',
    reset: 'Tampilkan semua tugas',
  },
  kind: 'Jenis',
  state: 'Keadaan',
  all: 'Semua',
  kinds: {
    sync: 'Sinkronisasi',
    schedule: 'Jadwal',
    trigger: 'Pemicu',
    watch: 'Mendengarkan',
  },
  states: {
    waiting: 'Menunggu',
    running: 'Berjalan',
    paused: 'Dijeda',
    done: 'Selesai',
    failed: 'Gagal',
    cancelled: 'Dibatalkan',
  },
  next: 'Waktu berikutnya',
  last: 'Terakhir kali',
  attempts: 'Percobaan gagal: {{number}}',
  progress: 'Diperiksa: {{seen}} dari sekitar {{expected}}',
  progressOpen: 'Diperiksa sejauh ini: {{seen}}',
  actions: {
    pause: 'Jeda',
    resume: 'Lanjutkan',
    run: 'Jalankan sekarang',
    cancel: 'Akhiri selamanya',
  },
  cancelAsk: {
    title: 'Akhiri “{{title}}” selamanya?',
    text: 'Ini berhenti dan tidak dijalankan lagi. Untuk menahannya sebentar, jeda saja.',
  },
  more: 'Tampilkan lebih banyak tugas',
}
