import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from '@asyncapi/parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { GALLERY } from '../compose/gallery.ts'
import { REFERENCE, referenceDocuments } from '../compose/reference.ts'
import { ROLES } from '../desktop/model/role.ts'

const documents = await referenceDocuments()
const named = (ending: string) => Object.entries(documents).filter(([name]) => name.endsWith(ending))

it('the committed reference is current (npm run reference)', () => {
  const committed = readdirSync(REFERENCE).map((name) => [name, readFileSync(join(REFERENCE, name), 'utf8')])
  expect(Object.fromEntries(committed)).toEqual(documents)
})

describe.each(named('.openapi.json'))('%s', (_name, text) => {
  it('is a valid OpenAPI document', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(JSON.parse(text))
    expect({ valid, errors, version: validator.version }).toEqual({ valid: true, errors: undefined, version: '3.1' })
  })
})

describe.each(named('.asyncapi.json'))('%s', (_name, text) => {
  it('is a valid AsyncAPI document', async () => {
    const { document, diagnostics } = await new Parser().parse(text)
    const complaints = diagnostics.filter(({ severity }) => severity < 2)
    expect({ version: document?.version(), complaints }).toEqual({ version: '3.0.0', complaints: [] })
  })
})

interface Shape {
  readonly properties: Readonly<Record<string, object>>
}

describe('scenario.schema.json', () => {
  const schema = z.fromJSONSchema(JSON.parse(documents['scenario.schema.json']!))

  it.each(readdirSync(GALLERY).filter((name) => name.endsWith('.yaml')))('accepts %s', (name) => {
    const read = schema.safeParse(parse(readFileSync(join(GALLERY, name), 'utf8'), { merge: true }))
    expect(read.error?.issues ?? []).toEqual([])
  })

  it('has a title, suggests roles and describes the fields for authors', () => {
    const { $id, $defs } = JSON.parse(documents['scenario.schema.json']!)
    expect($id).toBe('urn:backlot:scenario')
    expect($defs.Element.properties.role.examples).toEqual(ROLES.map(([name]) => name))
    const { Scenario, Element } = $defs
    const window = Scenario.properties.states.additionalProperties.anyOf[0].properties.windows.anyOf[0].items
    for (const [shape, { properties }] of Object.entries({ Scenario, Element, window }) as [string, Shape][])
      for (const [key, property] of Object.entries(properties))
        expect([shape, key, JSON.stringify(property)]).toEqual([
          shape,
          key,
          expect.stringMatching(/"(description|\$ref)":/),
        ])
  })

  it('rejects a misspelt step of the agent', () => {
    const steps = (step: object) => schema.safeParse({ name: 's', states: { one: null }, agent: [step] }).success
    expect([steps({ say: 'hello' }), steps({ sya: 'hello' })]).toEqual([true, false])
  })
})
