import type { Translation } from '../locale.ts'

export const problems: Translation<'problems', 'id'> = {
  codes: {
    invalid: 'Ada isian yang tidak diterima.',
    signed_out: 'Anda sudah keluar. Buka lagi tautan masuk.',
    forbidden: 'Ini tidak diizinkan.',
    login_again: 'Masuk sekali lagi dahulu: perubahan ini menjangkau komputer tempat Capstan berjalan.',
    not_found: 'Ini tidak ada, atau sudah tidak ada.',
    conflict: 'Ini sudah berubah. Lihat lagi, lalu coba sekali lagi.',
    held: 'Semuanya dihentikan. Lepaskan, lalu kirim pesan Anda lagi.',
    too_large: 'Ukurannya terlalu besar.',
    rate_limited: 'Itu agak terlalu cepat. Tunggu sebentar, lalu coba lagi.',
    limit_reached: 'Anda mencapai batas yang ditetapkan pemilik untuk Anda.',
    unavailable: 'Ini sedang tidak tersedia. Coba lagi sebentar lagi.',
    internal: 'Ada masalah di pihak kami. Coba lagi; jika terus terjadi, jalankan diagnostik.',
  },
  other: 'Tidak berhasil. Coba lagi.',
  offline: 'Capstan tidak dapat dihubungi. Pastikan Capstan sedang berjalan.',
  fields: {
    'not-absolute': 'Masukkan jalur lengkap, misalnya /home/anda/Documents.',
    'not-a-folder': '“{{value}}” bukan folder yang bisa dibaca.',
    'own-data': '“{{value}}” berisi data Capstan sendiri. Pilih folder lain.',
    'not-a-host': '“{{value}}” bukan host. Masukkan seperti example.com atau *.example.com.',
    'host-too-wide': '“{{value}}” mencakup host milik siapa saja. Sebutkan domain Anda sendiri.',
    'no-host': 'Sebutkan sedikitnya satu host.',
    'too-many': 'Paling banyak {{most}}.',
    length: 'Masukkan {{least}} sampai {{most}} karakter.',
    'bad-name': 'Gunakan hanya huruf, angka, titik, tanda hubung, dan garis bawah, paling banyak {{most}}.',
    taken: '“{{value}}” sudah ada.',
    'not-a-key': 'Ini tidak tampak seperti kunci.',
    'not-a-variable': '“{{value}}” bukan nama variabel. Masukkan namanya saja, tanpa nilainya.',
  },
  checks: {
    node: {
      name: 'Node.js',
      about: 'Versi yang menjalankan Capstan.',
    },
    store: {
      name: 'Data tersimpan',
      about: 'Apakah percakapan bisa dibaca dan ditulis.',
    },
    disk: {
      name: 'Ruang disk',
      about: 'Apakah ada tempat untuk data baru.',
    },
    model: {
      name: 'Model AI',
      about: 'Apakah model yang dipilih bisa dipakai.',
    },
    apps: {
      name: 'Aplikasi terhubung',
      about: 'Apakah aplikasi Anda dapat dihubungi.',
    },
    sandbox: {
      name: 'Isolasi',
      about: 'Apakah perintah dan program di komputer ini dapat diisolasi.',
    },
    'demo-app': {
      name: 'Aplikasi demo',
      about: 'Apakah aplikasi Notes bawaan Capstan sedang berjalan.',
    },
    'web-app': {
      name: 'Aplikasi web',
      about: 'Apakah halaman-halaman ini lengkap.',
    },
    clock: {
      name: 'Jam',
      about: 'Apakah waktu komputer ini benar.',
    },
  },
  states: {
    ok: 'Semua baik',
    warning: 'Perlu dilihat',
    failed: 'Perlu perhatian',
  },
}
