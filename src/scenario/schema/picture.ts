import * as z from 'zod'
import { type DrawnPicture, PHOTO_SCENES, PHOTO_TIMES } from '../../desktop/model/drawn-picture.ts'
import { CHART_KINDS } from '../../desktop/model/traits.ts'

/** What a picture is drawn from. Where a text is printed, a number may be written. */

const MAX_SIDE_PX = 2048

const Printed = (most: number) => z.union([z.string().max(most), z.number()])
const Short = Printed(100)
const Amount = z.number().min(-1e9).max(1e9)

const sized = {
  width: z.int().min(1).max(MAX_SIDE_PX).describe('Its width in pixels; by default that of its kind').optional(),
  height: z.int().min(1).max(MAX_SIDE_PX).describe('Its height in pixels; by default that of its kind').optional(),
}

const scanned = {
  ...sized,
  turn: z
    .number()
    .min(-10)
    .max(10)
    .describe('How far the paper is turned on the scanner, in degrees clockwise')
    .meta({ examples: [-1.5] })
    .optional(),
  noise: z
    .number()
    .min(0)
    .max(1)
    .describe('How strong the specks, the shade and the crease of a scan are; none by default')
    .meta({ examples: [0.3] })
    .optional(),
}

const words = (description: string, example: string, most = 100) =>
  Printed(most)
    .describe(description)
    .meta({ examples: [example] })

const ReceiptLine = z.object({
  name: words('What was bought', 'Oat milk'),
  quantity: Amount.describe('How many; 1 by default')
    .meta({ examples: [2] })
    .optional(),
  price: Amount.describe('The price of one').meta({ examples: [1.89] }),
})

const Receipt = z.strictObject({
  kind: z.literal('receipt').describe('A receipt of a shop'),
  shop: words('The name of the shop', 'Corner Market'),
  address: words('Its address', '12 Harbour Street').optional(),
  number: words('The number of the receipt', '48213').optional(),
  date: words('The date, as it is printed', '2026-03-14 18:42'),
  currency: words('What is printed before the total', 'EUR').optional(),
  lines: z
    .array(ReceiptLine)
    .max(60)
    .describe('What was bought; other fields of records are left out')
    .meta({ examples: [[{ name: 'Oat milk', quantity: 2, price: 1.89 }]] }),
  total: Amount.describe('The total; by default the sum of the lines')
    .meta({ examples: [41.6] })
    .optional(),
  tax: z
    .number()
    .min(0)
    .max(1)
    .describe('The share of tax, which the total includes')
    .meta({ examples: [0.19] })
    .optional(),
  paid: words('How it was paid', 'Card **** 4411').optional(),
  footer: words('The last line', 'Thank you').optional(),
  ...scanned,
})

const Letter = z.strictObject({
  kind: z.literal('letter').describe('A letter'),
  from: words('The sender: a name, and lines below it', 'Harbour Energy\n4 Quay Road', 300),
  to: words('The receiver, with the address', 'Ada Moreno\n7 Birch Lane', 300),
  date: words('The date, as it is printed', '14 March 2026'),
  subject: words('The subject', 'Your annual bill', 200),
  text: words('The text, with empty lines between paragraphs', 'Dear Ms Moreno,\n\nthank you.', 6000),
  signed: words('The name below, and in a signature', 'Jonas Petersen').optional(),
  ...scanned,
})

const Form = z.strictObject({
  kind: z.literal('form').describe('A form that was filled in by hand'),
  title: words('Its title', 'Travel request'),
  number: words('Its number', 'TR-0113').optional(),
  fields: z
    .array(
      z.object({
        name: words('The name of the field', 'Destination'),
        value: z
          .union([z.string().max(200), z.number(), z.boolean()])
          .describe('What was filled in; true or false for a box that is ticked or not')
          .meta({ examples: ['Kiel'] }),
      }),
    )
    .max(40)
    .describe('Its fields; other fields of records are left out')
    .meta({ examples: [[{ name: 'Destination', value: 'Kiel' }]] }),
  stamp: words('The words of a stamp', 'received').optional(),
  signed: words('Who signed it', 'Bo Lind').optional(),
  ...scanned,
})

const BusinessCard = z.strictObject({
  kind: z.literal('business-card').describe('A business card'),
  name: words('The name', 'Grace Okafor'),
  title: words('What the person does', 'Head of Purchasing').optional(),
  company: words('The company', 'Halden Maskin').optional(),
  phone: words('The phone number', '+47 22 41 80 15').optional(),
  mail: words('The mail address', 'grace@halden.test').optional(),
  address: words('The address', 'Storgata 18, Oslo').optional(),
  ...scanned,
})

const IdCard = z.strictObject({
  kind: z.literal('id-card').describe('An identity card with a portrait'),
  title: words('The title of the card', 'Staff identity card'),
  name: words('The name', 'Ada Moreno'),
  number: words('The number of the card', 'L4X82K91'),
  born: words('The date of birth', '1988-07-02').optional(),
  expires: words('The day on which it expires', '2031-01-31').optional(),
  seed: Short.describe('What the portrait is drawn from; the name by default')
    .meta({ examples: ['ada'] })
    .optional(),
  ...scanned,
})

const Photo = z.strictObject({
  kind: z.literal('photo').describe('A photograph'),
  seed: Short.describe('What it is drawn from, such as the id of its record: equal seeds are the same photograph').meta(
    {
      examples: ['{{ photo.id }}'],
    },
  ),
  scene: z.enum(PHOTO_SCENES).describe('What it shows; by default drawn from the seed').optional(),
  time: z.enum(PHOTO_TIMES).describe('The light; by default drawn from the seed').optional(),
  rotate: z
    .int()
    .min(0)
    .max(270)
    .multipleOf(90)
    .describe('How far it is rotated clockwise: 0, 90, 180 or 270 degrees')
    .meta({ examples: [90] })
    .optional(),
  ...sized,
})

const ChartPicture = z.strictObject({
  kind: z.literal('chart').describe('A chart as a picture'),
  chart: z.enum(CHART_KINDS).describe('Bars, a line or a pie'),
  title: words('Its title', 'Orders').optional(),
  points: z
    .array(
      z.object({
        name: words('The name of a value', 'Monday'),
        value: z
          .number()
          .min(-1e12)
          .max(1e12)
          .describe('The value')
          .meta({ examples: [12] }),
      }),
    )
    .max(100)
    .describe('Its values; other fields of records are left out')
    .meta({ examples: [[{ name: 'Monday', value: 12 }]] }),
  ...sized,
})

export const AuthoredPicture = z.discriminatedUnion('kind', [
  Receipt,
  Letter,
  Form,
  BusinessCard,
  IdCard,
  Photo,
  ChartPicture,
])
export type AuthoredPicture = z.infer<typeof AuthoredPicture>

/** Keys whose numbers are computed with. Others are printed, also those that YAML reads as numbers. */
const NUMBERS: ReadonlySet<string> = new Set('width height turn rotate noise quantity price total tax value'.split(' '))

/** A written picture as it is drawn, without what records have beside. Undefined for data of which none can be drawn. */
export function drawnPictureOf(written: unknown): DrawnPicture | undefined {
  const { data } = AuthoredPicture.safeParse(written)
  if (!data) return undefined
  const text = JSON.stringify(data, (key, value: unknown) =>
    typeof value === 'number' && !NUMBERS.has(key) ? String(value) : value,
  )
  return JSON.parse(text) as DrawnPicture
}

/** A picture that stands for one that only the running scenario knows. */
export const ANY_PICTURE = { kind: 'photo', seed: '' } as const satisfies AuthoredPicture
