import type { Translation } from '../locale.ts'

export const people: Translation<'people', 'id'> = {
  logins: {
    title: 'Login',
    description: 'Peramban yang masuk atas nama Anda. Keluarkan yang tidak Anda kenal.',
    unknown: 'Perangkat tidak dikenal',
    thisOne: 'Peramban ini',
    lastUse: 'Terakhir dipakai:',
    firstUse: 'Pertama masuk:',
    end: 'Keluarkan {{device}}',
    ended: '{{device}} sudah dikeluarkan.',
    endOthers: 'Keluarkan semua yang lain',
    othersEnded: 'Semua peramban lain sudah dikeluarkan.',
  },
  members: {
    title: 'Orang',
    description:
      'Anggota punya percakapan dan koneksi sendiri. Mereka hanya dapat memakai folder atau server Anda jika Anda membagikannya.',
    empty: 'Selain Anda, tidak ada yang memakai instalasi ini.',
    name: 'Nama anggota baru',
    add: 'Tambah anggota',
    link: 'Kirim tautan ini kepada {{user}}. Tautan berlaku sekali, dalam satu jam.',
    linkLocalOnly:
      'Alamat lain server ini tidak diketahui, jadi tautan hanya berfungsi di komputer ini. Jalankan Capstan dengan --origin untuk memberinya alamat.',
    newLink: 'Tautan masuk baru untuk {{user}}',
    neverUsed: 'belum pernah masuk',
    remove: 'Hapus {{user}}',
    removeTitle: 'Hapus {{user}}?',
    removeText:
      '{{user}} langsung dikeluarkan, dan gilirannya yang berjalan dihentikan. Percakapannya tetap tersimpan.',
    removeConfirm: 'Hapus',
    removed: '{{user}} sudah dihapus.',
    limits: 'Batas untuk {{user}}',
    turnsAtOnce: 'Giliran bersamaan',
    messagesPerMinute: 'Pesan per menit',
    usdPerDay: 'Dolar AS dalam 24 jam',
    threads: 'Percakapan tersimpan',
    save: 'Simpan batas',
    saved: 'Batas untuk {{user}} sudah disimpan.',
  },
  loginAgain: {
    title: 'Masuk sekali lagi',
    text: 'Perubahan ini menjangkau komputer tempat Capstan berjalan. Untuk menunjukkan bahwa ini Anda, jalankan perintah ini di sana:',
    paste: 'Perintah itu menampilkan tautan. Tempelkan di sini, atau buka di peramban ini.',
    field: 'Tautan masuk',
    submit: 'Masuk dan lanjutkan',
    opened: 'Tautannya sudah saya buka',
    wrong: 'Tautan ini tidak berlaku lagi, atau milik orang lain. Jalankan perintahnya lagi.',
  },
  ofOwner: {
    model: 'Pemilik instalasi ini yang memilih model.',
    folders: 'Pemilik membagikan folder ini kepada Anda.',
    noFolders: 'Pemilik tidak membagikan folder kepada Anda.',
    fullMode: 'Hanya pemilik yang dapat memakai mode ini.',
  },
  share: {
    folder: 'Bagikan {{folder}} kepada anggota',
    server: 'Bagikan kepada anggota',
    serverHint: 'Anggota lalu dapat memakai server ini dengan hak komputer ini.',
    failed: 'Tidak dapat dibagikan. {{reason}}',
  },
}
