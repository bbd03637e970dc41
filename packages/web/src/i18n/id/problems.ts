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
  'needs-card': 'Satu kata tidak cukup untuk pertanyaan ini. Jawab di kartunya.',
  'storage-full':
    'Anda sudah memakai semua ruang yang diberikan pemilik. Hapus percakapan yang tidak diperlukan lagi; berkas dan keluaran panjang memakan ruang paling banyak.',
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
  findings: {
    node: 'Node {{version}}.',
    store: 'Data di {{folder}} dapat dibaca dan ditulis.',
    'store-replaced': 'Data tersimpan diganti saat mulai: {{detail}}',
    disk: '{{size}} kosong.',
    model: '{{model}} sudah disiapkan.',
    'model-demo': 'Model demo berskrip sedang dipakai.',
    'model-unusable': 'Model yang dipilih tidak dapat dipakai: {{detail}}',
    apps: 'Aplikasi dikenal: {{known}}, terhubung: {{connected}}.',
    'apps-unsure': 'Aplikasi dikenal: {{known}}, terhubung: {{connected}}. Sebagian tidak dapat ditanyai.',
    'apps-broken': 'Aplikasi dikenal: {{known}}, terhubung: {{connected}}. Tidak dapat dipakai: {{names}}.',
    sandbox: 'Program dikurung: sebuah program uji tidak dapat melihat folder data.',
    'sandbox-off': 'Program berjalan tanpa kurungan, dengan semua hak pengguna ini.',
    'sandbox-unavailable': 'Program tidak dapat dikurung di sini: {{detail}}',
    'sandbox-unlimited':
      'Program dikurung, tetapi tidak ada yang membatasi jumlah proses yang dimulai sekaligus.',
    demo: 'Notes menjawab di {{address}}.',
    'demo-off': 'Dimatikan.',
    'demo-silent': 'Notes tidak menjawab.',
    web: 'Sudah dibangun.',
    'web-elsewhere': 'Tidak disajikan dari sini.',
    'web-missing': 'Belum dibangun.',
    clock: 'Jam menunjukkan {{time}}.',
    'clock-behind': 'Jam menunjukkan {{time}}, tetapi ada percakapan dari waktu setelahnya.',
    unchecked: 'Tidak dapat diperiksa: {{detail}}',
  },
  remedies: {
    node: 'Pasang Node {{oldest}} atau yang lebih baru.',
    store: 'Lihat folder “backups” jika ada yang hilang.',
    'disk-soon': 'Kosongkan ruang disk sebelum penuh.',
    'disk-now': 'Kosongkan ruang disk: sebentar lagi tidak ada yang bisa disimpan.',
    model: 'Pengaturan punya tombol untuk mengujinya.',
    'model-demo':
      'Masukkan kunci penyedia di Pengaturan, atau jalankan Ollama, untuk berbicara dengan model sungguhan.',
    'model-unusable': 'Pilih model lain di Pengaturan, atau masukkan kuncinya.',
    'apps-unsure': 'Coba lagi sebentar lagi.',
    'apps-broken': 'Hubungkan kembali di Koneksi.',
    sandbox:
      'Sampai bubblewrap berfungsi, perintah dan program ditolak. “npx capstan doctor” menyebutkan apa yang kurang.',
    'sandbox-unlimited':
      'Jalankan Capstan sebagai pengguna biasa, beri cgroup yang dapat ditulis (systemd: Delegate=yes), atau gunakan Linux 6.14 atau lebih baru.',
    restart: 'Jalankan ulang server.',
    clock: 'Setel jam komputer ini: proses masuk dan persetujuan bergantung padanya.',
  },
}
