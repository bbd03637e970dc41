import type { Translation } from '../locale.ts'

export const failures: Translation<'failures', 'id'> = {
  why: 'Mengapa',
  next: 'Yang bisa dilakukan',
  classes: {
    timeout: {
      name: 'Terlalu lama',
      why: 'Prosesnya terlalu lama dan dihentikan.',
      next: 'Asisten mungkin mencoba lagi. Jika tidak, minta lagi nanti.',
    },
    rate_limited: {
      name: 'Diminta melambat',
      why: 'Layanan meminta kami melambat.',
      next: 'Asisten mungkin mencoba lagi sebentar lagi. Jika tidak, minta lagi nanti.',
    },
    service_unavailable: {
      name: 'Layanan tidak tersedia',
      why: 'Layanan tidak dapat dihubungi atau sedang tidak berfungsi.',
      next: 'Asisten mungkin mencoba lagi. Jika tidak, minta lagi nanti.',
    },
    model_unreachable: {
      name: 'Model AI tidak terhubung',
      why: 'Model AI tidak dapat dihubungi.',
      next: 'Periksa koneksi dan pengaturan model, lalu coba lagi.',
    },
    quota_exhausted: {
      name: 'Habis terpakai',
      why: 'Paket, kredit, atau anggaran sudah habis.',
      next: 'Isi ulang, atau pilih paket atau model lain.',
    },
    bad_credentials: {
      name: 'Login tidak diterima',
      why: 'Login belum ada, sudah kedaluwarsa, atau tidak mengizinkan ini.',
      next: 'Hubungkan ulang akunnya.',
    },
    not_connected: {
      name: 'Belum terhubung',
      why: 'Aplikasi ini belum terhubung.',
      next: 'Hubungkan dahulu, lalu minta lagi.',
    },
    missing_permission: {
      name: 'Izin kurang',
      why: 'Izinnya kurang, atau item itu belum dibagikan.',
      next: 'Berikan izin atau bagikan item itu, lalu minta lagi.',
    },
    missing_app: {
      name: 'Program tidak ada',
      why: 'Program yang diperlukan tidak ada.',
      next: 'Pasang atau jalankan programnya, lalu minta lagi.',
    },
    blocked_by_policy: {
      name: 'Tidak diizinkan pengaturan Anda',
      why: 'Pengaturan keamanan Anda tidak mengizinkan ini.',
      next: 'Ubah pengaturan keamanan jika Anda menginginkannya.',
    },
    denied_by_user: {
      name: 'Anda menolak',
      why: 'Anda menolak tindakan ini.',
      next: 'Tidak perlu melakukan apa pun. Minta lagi jika Anda berubah pikiran.',
    },
    approval_expired: {
      name: 'Tidak dijawab tepat waktu',
      why: 'Tidak ada yang menjawab permintaan persetujuan tepat waktu.',
      next: 'Minta lagi kapan pun Anda mau. Ini tidak akan diulang dengan sendirinya.',
    },
    not_found: {
      name: 'Tidak ditemukan',
      why: 'Yang disebutkan itu tidak ada.',
      next: 'Tidak perlu melakukan apa pun. Asisten mencari nama yang benar.',
    },
    invalid_input: {
      name: 'Rincian tidak diterima',
      why: 'Rincian permintaan tidak diterima.',
      next: 'Tidak perlu melakukan apa pun. Asisten memperbaikinya.',
    },
    conflict: {
      name: 'Bertentangan',
      why: 'Ini bertentangan dengan keadaan sekarang.',
      next: 'Tidak perlu melakukan apa pun. Asisten memeriksa lagi keadaannya.',
    },
    unsupported: {
      name: 'Tidak bisa di sini',
      why: 'Di sini hal itu tidak bisa dilakukan dengan cara ini.',
      next: 'Perlu cara lain. Beberapa hal harus dikerjakan sendiri.',
    },
    too_large: {
      name: 'Terlalu besar',
      why: 'Ukurannya terlalu besar.',
      next: 'Tidak perlu melakukan apa pun. Asisten mengambil bagian yang lebih kecil.',
    },
    command_failed: {
      name: 'Perintah gagal',
      why: 'Perintah dijalankan dan melaporkan kesalahan.',
      next: 'Tidak perlu melakukan apa pun. Asisten membaca laporannya.',
    },
    interrupted: {
      name: 'Terputus',
      why: 'Prosesnya terputus sebelum hasilnya diketahui, jadi mungkin sudah terjadi, mungkin belum.',
      next: 'Periksa dahulu sebelum mengulanginya.',
    },
    cancelled: {
      name: 'Dihentikan',
      why: 'Ini sudah dihentikan.',
      next: 'Tidak perlu melakukan apa pun.',
    },
    unknown: {
      name: 'Gagal',
      why: 'Ada yang gagal tanpa menyebutkan alasannya.',
      next: 'Coba lagi. Jika terus gagal, jalankan diagnostik.',
    },
  },
  model: {
    timeout: {
      why: 'Model AI terlalu lama menjawab.',
      next: 'Coba lagi. Jika terus terjadi, pilih model yang lebih cepat.',
    },
    rate_limited: {
      why: 'Penyedia model AI meminta kami melambat.',
      next: 'Tunggu sebentar, lalu coba lagi.',
    },
    quota_exhausted: {
      why: 'Kredit atau paket pada penyedia model AI sudah habis.',
      next: 'Isi ulang, atau pilih model lain.',
    },
    bad_credentials: {
      why: 'Penyedia model AI tidak menerima kuncinya.',
      next: 'Periksa kunci di pengaturan model.',
    },
    not_found: {
      why: 'Penyedia tidak mengenal model AI ini.',
      next: 'Periksa namanya di pengaturan model, atau pilih model lain.',
    },
    invalid_input: {
      why: 'Penyedia model AI tidak menerima permintaan ini.',
      next: 'Coba lagi di percakapan baru, atau pilih model lain.',
    },
    too_large: {
      why: 'Percakapan ini terlalu panjang untuk model AI ini.',
      next: 'Mulai percakapan baru, atau pilih model yang sanggup menerima percakapan lebih panjang.',
    },
    unsupported: {
      why: 'Model AI ini tidak bisa melakukannya.',
      next: 'Pilih model yang bisa.',
    },
    blocked_by_policy: {
      why: 'Penyedia model AI menolak menjawab ini.',
      next: 'Sampaikan permintaan dengan cara lain, atau pilih model lain.',
    },
  },
  details: {
    'agent-halted': {
      why: 'Agen {{agent}} dihentikan karena tidak ada kemajuan.',
      next: 'Minta dengan cara lain, atau minta bagian yang lebih kecil.',
    },
    'agent-capped': {
      why: 'Agen {{agent}} mencapai batasnya sebelum pekerjaannya selesai.',
      next: 'Biarkan agen itu melanjutkan, atau minta bagian yang lebih kecil.',
    },
    'agent-nested': {
      why: 'Agen {{agent}} tidak dimulai: agen tidak boleh bersarang sedalam itu.',
      next: 'Tidak ada yang perlu dilakukan. Asisten mengerjakan bagian ini sendiri.',
    },
    'empty-reply': {
      why: 'Model AI tidak menjawab apa pun.',
      next: 'Coba lagi. Jika terus terjadi, pilih model lain.',
    },
    limit: {
      why: 'Batas untuk permintaan ini tercapai.',
      next: 'Minta bagian yang lebih kecil, atau naikkan batasnya.',
    },
    'model-address': {
      why: 'Alamat ini tidak menyebut model.',
      next: 'Tulis model setelah #: http://127.0.0.1:4000/v1#llama.',
    },
    'model-name': {
      why: 'Ini bukan nama model.',
      next: 'Tulis penyedia/model, misalnya openai/gpt-6-sol, atau alamat server.',
    },
    'model-key': {
      why: 'Kunci untuk model AI ini belum ada.',
      next: 'Masukkan kunci di pengaturan model.',
    },
    'model-silent': {
      why: 'Tidak ada yang menjawab di alamat model AI ini.',
      next: 'Periksa apakah server berjalan, serta host dan port.',
    },
    'model-host': {
      why: 'Nama dalam alamat model AI ini tidak dikenal di jaringan.',
      next: 'Periksa penulisan alamatnya.',
    },
    'model-insecure': {
      why: 'Tidak ada koneksi aman ke model AI ini: sertifikatnya tidak diterima, atau tidak memakai TLS.',
      next: 'Periksa sertifikat server, atau apakah alamatnya seharusnya diawali http://.',
    },
    'model-page': {
      why: 'Yang menjawab di alamat ini adalah halaman web, bukan model AI.',
      next: 'Periksa alamatnya: sering kali berakhir dengan /v1.',
    },
    'images-unsupported': {
      why: 'Model AI ini tidak dapat melihat gambar.',
      next: 'Pilih model yang dapat melihat gambar, atau jelaskan gambarnya dengan kata-kata.',
    },
    'files-unsupported': {
      why: 'Model AI ini tidak dapat membaca jenis berkas ini.',
      next: 'Pilih model yang bisa, atau kirim isinya sebagai teks.',
    },
    'attachment-too-large': {
      why: 'Berkas dalam pesan ini terlalu besar atau terlalu banyak.',
      next: 'Kirim lagi dengan berkas yang lebih sedikit atau lebih kecil.',
    },
    'attachment-unreadable': {
      why: 'Sebuah berkas dalam pesan ini tidak dapat dibaca. Mungkin rusak atau dilindungi kata sandi.',
      next: 'Simpan lagi tanpa kata sandi, atau kirim isinya sebagai teks.',
    },
    'day-limit': {
      why: 'Batas {{amount}} per hari yang ditetapkan di sini sudah habis.',
      next: 'Naikkan di pengaturan bagian Pengeluaran, atau tunggu sampai besok. Anggota dapat meminta kepada pemilik.',
    },
    'month-limit': {
      why: 'Batas {{amount}} per bulan yang ditetapkan di sini sudah habis.',
      next: 'Naikkan di pengaturan bagian Pengeluaran, atau tunggu bulan depan. Anggota dapat meminta kepada pemilik.',
    },
    'gave-up': {
      why: 'Ini terputus berulang kali, jadi tidak dicoba lagi.',
      next: 'Lihat apa yang sudah dilakukan di atas, lalu minta sisanya dalam bagian yang lebih kecil.',
    },
    'done-already': {
      why: 'Hal yang sama sudah dilakukan dalam permintaan ini, jadi tidak diulangi.',
      next: 'Jika harus dilakukan sekali lagi, katakan dalam pesan baru.',
    },
  },
  tried: 'Sudah dicoba {{tries}} kali.',
  ended: {
    later: 'Coba lagi nanti.',
    otherwise: 'Coba lagi, atau minta dengan cara lain.',
  },
  allow: {
    why: '{{action}} termasuk “{{kind}}”, yang dimatikan di {{name}}.',
    next: 'Izinkan “{{kind}}” di {{name}}, di sini atau di Koneksi.',
    button: 'Izinkan “{{kind}}” di {{name}}',
    done: '“{{kind}}” kini diizinkan di {{name}}. Percobaan berikutnya tidak akan ditolak karena itu.',
  },
  buttons: {
    connect: 'Hubungkan',
    reconnect: 'Hubungkan ulang',
    allow: 'Izinkan',
    retry: 'Coba lagi',
    openSettings: 'Buka pengaturan',
    runDiagnostics: 'Jalankan diagnostik',
  },
}
