import { Parser } from '@asyncapi/parser'
import { expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { referenceDocuments } from '../../src/compose/reference.ts'

const documents = Object.entries(await referenceDocuments()).filter(([name]) => name.endsWith('.asyncapi.json'))

// The parser takes seconds for each. That the committed documents are these is tested in `reference.test.ts`.
it.each(shareOf(documents))('%s is a valid AsyncAPI document', async (_name, text) => {
  const { document, diagnostics } = await new Parser().parse(text)
  const complaints = diagnostics.filter(({ severity }) => severity < 2)
  expect({ version: document?.version(), complaints }).toEqual({ version: '3.0.0', complaints: [] })
})
