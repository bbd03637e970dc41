import type { Vocabulary } from './vocabulary.ts'

export const INDONESIAN: Vocabulary = {
  approvalExpired: String.raw`
    persetujuan.{0,40}(?:kedaluwarsa|habis|berakhir)`,
  deniedByUser: String.raw`
    pengguna (?:telah )?(?:menolak|tidak menyetujui)
    ditolak oleh pengguna`,
  policy: String.raw`
    kebijakan.{0,48}(?:memblokir|diblokir|melarang|dilarang|tidak mengizinkan)
    (?:diblokir|dilarang|ditolak).{0,40}(?:kebijakan|administrator)`,
  missingApp: String.raw`
    perintah tidak ditemukan
    (?:belum|tidak) (?:ter(?:in)?stal|terpasang|diinstal)`,
  certificate: 'sertifikat\nkoneksi ssl',
  timeout: String.raw`
    (?:batas )?waktu.{0,30}(?:habis|terlampaui|berakhir|terlewati)
    (?:kehabisan|melebihi batas|melampaui batas) waktu`,
  quota: String.raw`
    (?:saldo|kuota|kredit|quota).{0,30}(?:habis|tidak cukup|tidak mencukupi|terlampaui)`,
  rateLimit: String.raw`
    terlalu banyak (?:permintaan|percobaan)
    batas (?:permintaan|laju)`,
  tooLarge: String.raw`
    terlalu (?:besar|panjang)
    melebihi (?:ukuran|batas (?:ukuran|maks))
    mengalokasikan memori
    kehabisan memori`,
  notConnected: String.raw`
    (?:belum|tidak) (?:ter)?(?:hubung|kait|taut)
    (?:hubungkan|sambungkan) .{0,30}(?:akun|dulu|terlebih)`,
  credentials: String.raw`
    (?:token|sesi|kata sandi|kredensial|kunci|autentikasi|login).{0,48}(?:kedaluwarsa|kadaluwarsa|kadaluarsa|tidak valid|salah|gagal|dicabut|berakhir|diperlukan|tidak sah)
    gagal (?:masuk|login|autentikasi)
    (?:error|galat|kesalahan) auten?ti?
    (?:silakan|harap) (?:login|masuk)`,
  syntax: 'kesalahan sintaks',
  clash: 'kunci asing\ndeadlock',
  permission: String.raw`
    (?:i[jz]in|akses) (?:\S+ )?(?:ditolak|tidak (?:diijinkan|diizinkan))
    (?:tidak|tak) (?:memiliki|punya|ada) (?:\S+ ){0,2}(?:i[jz]in|akses|hak)
    operasi tidak (?:di)?i[jz]in
    baca-saja
    hanya baca`,
  conflict: String.raw`
    telah (?:dalam|terhubung|ada)
    sudah (?:dalam proses|berjalan|terhubung|didefinisikan|sedang)
    tidak unik
    belum sepenuhnya tergabung
    sudah (?:ada|digunakan|terdaftar|dipakai)
    telah (?:ada|digunakan|terdaftar)
    \bsibuk
    tidak kosong
    \bkonflik\b
    duplikat
    ditimpa
    tak tergabung
    riwayat tak terkait`,
  unreachable: String.raw`
    menjatuhkan koneksi
    pembatalan koneksi
    titik-akhir tidak terhubung
    pipa (?:rusak|putus)
    koneksi (?:digagalkan|dibatalkan|terputus)
    (?:host|komputer) tidak (?:diketahui|dikenal)
    koneksi .{0,30}(?:ditolak|direset|gagal|terputus)
    (?:tidak dapat|gagal) (?:terhubung|menghubungi|menemukan alamat|menyambung|membuat koneksi)
    tidak tersedia
    tidak dapat (?:dijangkau|diakses|dicapai)
    sedang (?:dalam )?(?:pemeliharaan|perbaikan|turun)
    kesalahan (?:internal|server)
    resolusi nama
    nama atau layanan
    tidak ada rute`,
  notFound: String.raw`
    bukan (?:sebuah )?direktori
    tidak terdapat aturan
    tidak (?:ditemukan|ada\b|dapat ditemukan|cocok dengan)
    bukan sebuah (?:repositori|direktori)`,
  unsupported: String.raw`
    tidak sesuai
    tidak (?:di ?dukung|mendukung|terimplementasi)
    menjalankan berkas binary
    format eksekusi
    bukan perintah`,
  cancelled: 'terinterupsi|terganggu|diinterupsi\ndibatalkan',
  invalid: String.raw`
    diluar (?:dari )?(?:jangkauan|batas)
    \bsalah\b
    diperlukan|dibutuhkan
    terlalu banyak (?!permintaan|percobaan)
    di luar (?:jangkauan|batas|rentang)
    harus (?:berupa|ada|memiliki|diisi|berisi)
    ambigu
    tidak (?:didefinisikan|terdefinisi)
    membutuhkan (?:sebuah )?argumen
    bukan .{0,30}valid
    adalah sebuah direktori
    hilang setelah
    (?<!kesalahan |galat |yang )tidak (?:diketahui|dikenal)
    tidak (?:valid|sah|benar|boleh kosong)
    (?:wajib|harus) (?:diisi|berupa)
    tidak diisi
    format .{0,20}salah
    opsi tidak
    kesalahan sintaks`,
}
