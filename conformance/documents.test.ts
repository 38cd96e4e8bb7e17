import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generateFiles } from './documents.ts'

it.each(Object.entries(await generateFiles()))('%s is current', (path, text) => {
  const written = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  // The formatter changes the layout of the JSON, so only the values are compared.
  if (path.endsWith('.json')) return expect(JSON.parse(written)).toEqual(JSON.parse(text))
  expect(written).toBe(text)
})
