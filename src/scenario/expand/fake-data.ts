import { createRequire } from 'node:module'
import type { Faker } from '@faker-js/faker'
import type { DataValue } from '../expression/data-type.ts'

/** Makes people, addresses, companies and products. The same seed gives the same value. */
export interface FakeData {
  readonly kinds: readonly string[]
  readonly locales: readonly string[]
  make(kind: string, locale: string, seed: number): DataValue
}

/** For where no generator is passed in. */
export const NO_FAKE_DATA: FakeData = { kinds: [], locales: [], make: () => null }

const LOCALES = ['en', 'de', 'fr']

/** What can be made. All contact data use domains and numbers that belong to nobody. */
const KINDS: Readonly<Record<string, (faker: Faker) => DataValue>> = {
  person: (faker) => {
    const first_name = faker.person.firstName()
    const last_name = faker.person.lastName()
    const email = `${asciiWord(first_name)}.${asciiWord(last_name)}@example.org`
    const name = `${first_name} ${last_name}`
    return { first_name, last_name, name, email, phone: fictionalNumber(faker), job: faker.person.jobTitle() }
  },
  address: (faker) => {
    const [street, zip, city] = [faker.location.streetAddress(), faker.location.zipCode(), faker.location.city()]
    return { street, zip, city, country: faker.location.country() }
  },
  company: (faker) => {
    const name = faker.company.name()
    return { name, domain: `${asciiWord(name)}.example.org`, phone: fictionalNumber(faker) }
  },
  product: (faker) => ({
    name: faker.commerce.productName(),
    category: faker.commerce.department(),
    price: Number(faker.commerce.price({ min: 2, max: 500 })),
    sku: faker.string.alphanumeric({ length: 8, casing: 'upper' }),
  }),
}

/** 555-0100 to 555-0199 are kept for fiction. */
const fictionalNumber = (faker: Faker): string => `555-01${String(faker.number.int({ max: 99 })).padStart(2, '0')}`

/** A word of ASCII letters and digits, for addresses. */
const asciiWord = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

const loaded = new Map<string, Faker>()
function fakerFor(locale: string): Faker {
  const known = loaded.get(locale)
  if (known) return known
  const require = createRequire(import.meta.url)
  const { faker } = require(`@faker-js/faker/locale/${locale}`) as { readonly faker: Faker }
  loaded.set(locale, faker)
  return faker
}

/** Data made by faker, which is loaded when the first value is needed. */
export const fakerData = (): FakeData => ({
  kinds: Object.keys(KINDS),
  locales: LOCALES,
  make(kind, locale, seed) {
    const faker = fakerFor(locale)
    faker.seed(seed)
    return KINDS[kind]!(faker)
  },
})
