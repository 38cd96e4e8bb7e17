import { faker as de } from '@faker-js/faker/locale/de'
import { faker as en } from '@faker-js/faker/locale/en'
import { faker as fr } from '@faker-js/faker/locale/fr'

/** The generators of people and companies, by locale. */
export const locales = { de, en, fr }
