import type {
  DrawnBusinessCard,
  DrawnIdCard,
  DrawnLetter,
  DrawnPaperForm,
  DrawnReceipt,
  ReceiptLine,
} from '../../desktop/model/drawn-picture.ts'
import { drawsOf, pictureSeed } from './raster.ts'
import { bar, dashes, frame, GREY, INK, line, type Print, paragraph, pen, type Sheet } from './sheet.ts'

/** An amount with two decimals, after its currency. */
const amount = (cents: number, currency: string): string =>
  `${cents < 0 ? '-' : ''}${currency}${currency === '' ? '' : ' '}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`

const centsOf = (price: number): number => Math.round(price * 100)
const centsOfLine = ({ quantity = 1, price }: ReceiptLine): number => Math.round(quantity * price * 100)

const ROLL: Print = { size: 15, family: 'mono' }
const SMALL: Print = { ...ROLL, size: 14 }

export function printReceipt(sheet: Sheet, receipt: DrawnReceipt): void {
  const { shop, address, number, date, currency = '', lines, tax, paid, footer } = receipt
  const [start, end, middle] = [24, sheet.width - 24, sheet.width / 2]
  const room = end - start
  line(sheet, middle, 46, shop, { size: 24, weight: 700, align: 'center' }, room)
  if (address !== undefined) line(sheet, middle, 70, address, { ...SMALL, align: 'center' }, room)
  dashes(sheet, start, 86, room)
  line(sheet, start, 108, date, SMALL, room / 2 + 20)
  if (number !== undefined) line(sheet, end, 108, `No. ${number}`, { ...SMALL, align: 'end' }, room / 2 - 20)
  dashes(sheet, start, 120, room)
  let y = 146
  for (const each of lines) {
    const shown = line(sheet, end, y, amount(centsOfLine(each), ''), { ...ROLL, align: 'end' })
    line(sheet, start, y, each.name, ROLL, room - shown - 12)
    const isSeveral = (each.quantity ?? 1) !== 1
    if (isSeveral)
      line(sheet, start + 16, y + 24, `${each.quantity} x ${amount(centsOf(each.price), '')}`, {
        ...SMALL,
        colour: GREY,
      })
    y += isSeveral ? 48 : 24
  }
  y += 4
  dashes(sheet, start, y - 18, room)
  const total =
    receipt.total === undefined ? lines.reduce((sum, each) => sum + centsOfLine(each), 0) : centsOf(receipt.total)
  y += 14
  line(sheet, start, y, 'TOTAL', { size: 21, weight: 700 })
  line(sheet, end, y, amount(total, currency), { size: 21, weight: 700, align: 'end' })
  if (tax !== undefined) {
    y += 26
    line(sheet, start, y, `incl. ${Math.round(tax * 1000) / 10} % tax`, SMALL)
    line(sheet, end, y, amount(total - Math.round(total / (1 + tax)), ''), { ...SMALL, align: 'end' })
  }
  if (paid !== undefined) {
    y += 26
    line(sheet, start, y, 'Paid', SMALL)
    line(sheet, end, y, paid, { ...SMALL, align: 'end' }, room - 60)
  }
  dashes(sheet, start, y + 16, room)
  if (footer !== undefined) line(sheet, middle, y + 40, footer, { ...SMALL, align: 'center' }, room)
  const draws = drawsOf(pictureSeed(`${shop} ${number ?? date}`))
  for (let x = start + 40; x < end - 40; ) {
    const thick = draws.whole(1, 4)
    bar(sheet, x, sheet.height - 52, thick, 36, INK)
    x += thick + draws.whole(1, 4)
  }
}

/** A name as a pen writes it: a line with a loop for each letter. */
function signature(sheet: Sheet, x: number, y: number, name: string, size: number): void {
  const draws = drawsOf(pictureSeed(name))
  const letters = Math.max(4, Math.min(16, name.length))
  let path = `M${x} ${y}`
  let at = x
  for (let letter = 0; letter < letters; letter++) {
    const [wide, high] = [
      Math.round(size * draws(0.25, 0.55)),
      Math.round(size * (letter === 0 ? 1.2 : draws(0.2, 0.7))),
    ]
    const low = Math.round(size * draws(0, 0.2))
    path += ` C${at + wide * 2} ${y - high * 2} ${at - wide} ${y - Math.round(high / 2)} ${at + wide} ${y + low}`
    at += wide
  }
  path += ` q${Math.round(size * 1.4)} ${-Math.round(size * 0.5)} ${Math.round(size * 2.4)} ${-Math.round(size * 0.2)}`
  pen(sheet, path, '#23336e', 1.6)
}

const BODY: Print = { size: 16 }

export function printLetter(sheet: Sheet, { from, to, date, subject, text, signed }: DrawnLetter): void {
  const [start, end] = [64, sheet.width - 64]
  const [sender = '', ...about] = from.split('\n')
  line(sheet, start, 66, sender, { size: 22, weight: 700, colour: '#26415f' }, end - start)
  about.slice(0, 3).forEach((each, index) => {
    line(sheet, start, 90 + index * 19, each, { size: 14, colour: GREY }, end - start)
  })
  bar(sheet, start, 150, end - start, 1, '#26415f')
  to.split('\n')
    .slice(0, 4)
    .forEach((each, index) => {
      line(sheet, start, 192 + index * 23, each, BODY, end - start)
    })
  line(sheet, end, 310, date, { ...BODY, align: 'end' }, end - start)
  const after = paragraph(sheet, start, 354, subject, { size: 17, weight: 700 }, end - start, 400)
  const last = sheet.height - (signed === undefined ? 56 : 130)
  const y = paragraph(sheet, start, after + 14, text, BODY, end - start, last)
  if (signed === undefined) return
  signature(sheet, start + 6, y + 44, signed, 18)
  line(sheet, start, y + 78, signed, BODY, end - start)
}

const FIELD_PX = 62
const FIELD_GAP_PX = 12

export function printForm(sheet: Sheet, { title, number, fields, stamp, signed }: DrawnPaperForm): void {
  const [start, end] = [48, sheet.width - 48]
  bar(sheet, 0, 0, sheet.width, 10, '#3a5a40')
  const taken = number === undefined ? 0 : line(sheet, end, 62, number, { size: 16, family: 'mono', align: 'end' }, 200)
  line(sheet, start, 62, title, { size: 24, weight: 700 }, end - start - taken - 16)
  bar(sheet, start, 82, end - start, 2, INK)
  const room = sheet.height - 104 - 120
  const columns = fields.length * (FIELD_PX + FIELD_GAP_PX) > room ? 2 : 1
  const width = (end - start - (columns - 1) * 20) / columns
  const most = columns * Math.floor(room / (FIELD_PX + FIELD_GAP_PX))
  fields.slice(0, most).forEach(({ name, value }, index) => {
    const x = start + (index % columns) * (width + 20)
    const y = 104 + Math.floor(index / columns) * (FIELD_PX + FIELD_GAP_PX)
    if (typeof value === 'boolean') {
      frame(sheet, x, y + 20, 20, 20, INK, 2)
      if (value) pen(sheet, `M${x + 3} ${y + 29} l6 8 l13 -22`, '#23336e', 2.6)
      line(sheet, x + 32, y + 36, name, BODY, width - 32)
      return
    }
    frame(sheet, x, y, width, FIELD_PX, '#8b9298')
    line(sheet, x + 10, y + 20, name, { size: 13, colour: GREY }, width - 20)
    line(sheet, x + 10, y + 47, String(value), { size: 19, isItalic: true, colour: '#23336e' }, width - 20)
  })
  const foot = sheet.height - 58
  bar(sheet, start, foot, 230, 1, INK)
  line(sheet, start, foot + 20, 'Signature', { size: 13, colour: GREY })
  if (signed !== undefined) signature(sheet, start + 12, foot - 8, signed, 18)
  if (stamp === undefined) return
  const wide = Math.min(230, line(sheet, end - 24, foot + 8, stamp.toUpperCase(), { ...STAMP, align: 'end' }, 210)) + 32
  frame(sheet, end - 8 - wide, foot - 28, wide, 54, STAMP_RED, 3)
  frame(sheet, end - 4 - wide, foot - 24, wide - 8, 46, STAMP_RED)
}

const STAMP_RED = '#b23a34'
const STAMP: Print = { size: 20, weight: 700, colour: STAMP_RED }
const BRANDS = ['#1d4e6b', '#7a2e3a', '#2f5d46', '#4a3c72', '#8a5a1c', '#2b2f36'] as const

export function printBusinessCard(sheet: Sheet, card: DrawnBusinessCard): void {
  const { name, title, company, phone, mail, address } = card
  const brand = drawsOf(pictureSeed(company ?? name)).one(BRANDS)
  bar(sheet, 0, 0, 14, sheet.height, brand)
  const room = sheet.width - 60
  if (company !== undefined) {
    frame(sheet, 36, 28, 30, 30, brand, 4)
    bar(sheet, 46, 38, 10, 10, brand)
    line(sheet, 78, 51, company, { size: 18, weight: 700, colour: brand }, room - 48)
  }
  line(sheet, 36, 114, name, { size: 24, weight: 600 }, room)
  if (title !== undefined) line(sheet, 36, 136, title, { size: 14, colour: GREY }, room)
  const lines = [phone, mail, address].filter((each) => each !== undefined)
  lines.forEach((each, index) => {
    line(sheet, 36, sheet.height - 66 + index * 22, each, { size: 15 }, room)
  })
}

/** Where the portrait of an identity card is. */
export const ID_PORTRAIT = { x: 24, y: 78, width: 128, height: 160 }

export function printIdCard(sheet: Sheet, { title, name, number, born, expires }: DrawnIdCard): void {
  const { context } = sheet
  for (let wave = 0; wave < 14; wave++)
    pen(sheet, `M0 ${40 + wave * 22} q60 ${-26} 120 0 t120 0 t120 0 t120 0`, '#c9d8e6', 1)
  bar(sheet, 0, 0, sheet.width, 56, '#24527a')
  line(sheet, 24, 37, title, { size: 21, weight: 700, colour: '#ffffff' }, sheet.width - 48)
  context.fillStyle = '#ffffff'
  const left = ID_PORTRAIT.x + ID_PORTRAIT.width + 24
  const rows = [
    ['Name', name],
    ['Number', number],
    ['Date of birth', born],
    ['Expires', expires],
  ] as const
  let y = 92
  for (const [label, value] of rows) {
    if (value === undefined) continue
    line(sheet, left, y, label, { size: 12, colour: '#41566b' })
    line(sheet, left, y + 22, value, { size: 19, weight: 600 }, sheet.width - left - 20)
    y += 46
  }
  const code = `ID<${number}<<${name.replaceAll(' ', '<')}`
    .toUpperCase()
    .replace(/[^A-Z0-9<]/g, '')
    .padEnd(36, '<')
  line(sheet, 24, sheet.height - 20, code.slice(0, 36), { size: 20, family: 'mono' }, sheet.width - 40)
}
