import { describe, expect, it } from 'vitest'
import { toDictated, writesAddress } from './said-address.ts'

describe('an address is written', () => {
  it.each([
    ['read https://www.shop.example/offer now', 'shop.example'],
    ['read shop.example/offer.', 'https://shop.example/offer'],
    ['mail bob@ok.example.', 'bob@ok.example'],
  ])('in "%s": %s', (text, address) => expect(writesAddress(text, address)).toBe(true))

  it.each([
    ['my notes to the team', 'notes.to'],
    ['about work. it is new', 'work.it'],
    ['mail bob@ok.example', 'ob@ok.example'],
    ['mail bob@ok.example', 'bob@ok.exam'],
    ['see shop.example', 'shop.example.evil.example'],
    ['see my.shop.example', 'shop.example'],
  ])('not in "%s": %s', (text, address) => expect(writesAddress(text, address)).toBe(false))
})

describe('an address is dictated', () => {
  it.each([
    ['send it to lena at nordlicht dot example', 'lena@nordlicht.example'],
    ['lena (at) nordlicht.example', 'lena@nordlicht.example'],
    ['an lena ät nord minus licht punkt example', 'lena@nord-licht.example'],
    ['read nordlicht dot example', 'https://nordlicht.example/'],
    ['lena アット nordlicht ドット example', 'lena@nordlicht.example'],
  ])('in "%s": %s', (text, address) => expect(toDictated(address)?.test(text) ?? false).toBe(true))

  it.each([
    ['meet me at noon', 'me.noon'],
    ['meet me at noon', 'me@noon'],
    ['what is at work. it is new', 'at.work.it'],
    ['the dot example', 'ended.dot.example'],
  ])('not in "%s": %s', (text, address) => expect(toDictated(address)?.test(text) ?? false).toBe(false))
})
