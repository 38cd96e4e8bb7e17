import { describe, expect, it } from 'vitest'
import { fakerData } from './fake-data.ts'

const fake = fakerData()

describe('fake data', () => {
  it('[EXP15] are equal for equal seeds, and differ between seeds', () => {
    for (const kind of fake.kinds)
      for (const locale of fake.locales) {
        const first = fake.make(kind, locale, 1)
        expect(fake.make(kind, locale, 2)).not.toEqual(first)
        expect(fake.make(kind, locale, 1)).toEqual(first)
      }
  })

  it('[EXP15] are pinned to one version', () => {
    expect(fake.kinds.map((kind) => fake.make(kind, 'en', 7))).toMatchInlineSnapshot(`
      [
        {
          "email": "janae.lindkuvalis@example.org",
          "first_name": "Janae",
          "job": "Future Optimization Technician",
          "last_name": "Lind-Kuvalis",
          "name": "Janae Lind-Kuvalis",
          "phone": "555-0107",
        },
        {
          "city": "Dayton",
          "country": "Mali",
          "street": "84795 Kutch Port",
          "zip": "30292-4906",
        },
        {
          "domain": "reillykuvalis.example.org",
          "name": "Reilly - Kuvalis",
          "phone": "555-0107",
        },
        {
          "category": "Movies",
          "name": "Electronic Rubber Gloves",
          "price": 489.05,
          "sku": "29HOSD2A",
        },
      ]
    `)
  })

  it('[EXP16] name no address or number of anybody', () => {
    for (let seed = 0; seed < 50; seed++)
      for (const locale of fake.locales)
        expect(fake.make('person', locale, seed)).toMatchObject({
          email: expect.stringMatching(/^[a-z0-9]+\.[a-z0-9]+@example\.org$/),
          phone: expect.stringMatching(/^555-01\d\d$/),
        })
  })
})
