import type { Vocabulary } from './vocabulary.ts'

/** Common error words of languages the product is not translated into: shells still use them. */
export const ELSEWHERE: Partial<Vocabulary> = {
  missingApp: String.raw`
    \bintern\w*.{0,24}\b(?:extern|estern)\w*
    sisäiseksi tai ulkoiseksi
    vnitřního ani vnějšího
    (?:komentoa ei löydy|opdracht niet gevonden|nie znaleziono polecenia|komut bulunamadı|kommandot hittades inte|příkaz nenalezen)`,
  certificate: 'varmenne\\b',
  timeout: 'aikakatkais|przekroczono (?:limit )?czas|zaman aşımı|tidsgränsen',
  quota: 'levykiintiö',
  tooLarge: 'liian (?:suuri|pitkä)',
  credentials: 'todennus\\S* epäonnistui|todennusvirhe|nieprawidłowe hasło|ongeldig wachtwoord',
  permission:
    'lupa evätty|ei ole sallittu|kirjoitussuojattu|brak uprawnień|odmowa dostępu|toegang geweigerd|(?:izin|erişim) (?:reddedildi|engellendi)|åtkomst nekad|přístup odepřen',
  conflict:
    'on olemassa|on jo käytössä|ei ole tyhjä|varattu|już istnieje|bestaat al|zaten (?:var|mevcut)|finns redan',
  unreachable:
    'yhteys torjuttu|sulki yhteyden|verkkoa ei|reititystä|nimenselvity|ei tunneta|odmowa połączenia|połączenie odrzucone|verbinding geweigerd|bağlantı reddedildi',
  notFound:
    'tiedostoa tai hakemistoa|ei löydy|nie (?:znaleziono|istnieje)|niet gevonden|bestaat niet|bulunamadı|hittades inte|neexistuje',
  unsupported: 'ei ole tuettu|ei tueta|nie jest obsługiwan|niet ondersteund|desteklenmiyor|stöds inte',
  cancelled: 'peruutettu|geannuleerd|anulowan|iptal edildi',
  invalid: 'virheellinen|nieprawidłow|geçersiz|ongeldig|ogiltig|neplatn',
}
