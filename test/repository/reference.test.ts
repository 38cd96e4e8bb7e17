import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { INCLUDED_SCHEMA, SCENARIO_SCHEMA } from '../../src/compose/editor/scenario-schema.ts'
import { GALLERY } from '../../src/compose/gallery.ts'
import { PACKAGE } from '../../src/compose/package.ts'
import { REAL_DESKTOPS_GUIDE, REFERENCE, referenceDocuments, withCapabilityTable } from '../../src/compose/reference.ts'

const documents = await referenceDocuments()
const named = (ending: string) => Object.entries(documents).filter(([name]) => name.endsWith(ending))

it('the committed reference is current (npm run reference)', () => {
  const committed = readdirSync(REFERENCE).map((name) => [name, readFileSync(join(REFERENCE, name), 'utf8')])
  expect(Object.fromEntries(committed)).toEqual(documents)
})

it('the committed table of what each adapter can do is current (npm run reference)', async () => {
  const guide = readFileSync(REAL_DESKTOPS_GUIDE, 'utf8')
  expect(guide).toBe(await withCapabilityTable(guide))
})

describe.each(named('.openapi.json'))('%s', (_name, text) => {
  it('is a valid OpenAPI document', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(JSON.parse(text))
    expect({ valid, errors, version: validator.version }).toEqual({ valid: true, errors: undefined, version: '3.1' })
  })
})

describe('scenario.schema.json', () => {
  const schema = new Ajv2020({ strict: false }).compile(JSON.parse(documents['scenario.schema.json']!))
  const problemsOf = (scenario: unknown) => (schema(scenario) ? [] : schema.errors)

  it('has an id, which names it without an address', () => {
    expect(JSON.parse(documents['scenario.schema.json']!).$id).toBe('urn:backlot:scenario')
  })

  it.each(readdirSync(GALLERY).filter((name) => name.endsWith('.yaml')))('accepts %s', (name) => {
    expect(problemsOf(parse(readFileSync(join(GALLERY, name), 'utf8'), { merge: true }))).toEqual([])
  })

  it('rejects a misspelt step of the agent', () => {
    const steps = (step: object) => schema({ name: 's', states: { one: null }, agent: [step] })
    expect([steps({ say: 'hello' }), steps({ sya: 'hello' })]).toEqual([true, false])
  })

  it('rejects a call in a solution with unknown or without required arguments', () => {
    const calls = (call: object) => schema({ states: { one: null }, solution: [{ for: 2, do: [call] }] })
    const text = { text: 'hello' }
    expect([
      calls({ call: 'type_text', with: text }),
      calls({ call: 'type_text', with: { txet: 'hello' } }),
      calls({ call: 'type_text', with: { ...text, dry_run: '{{ dry }}' } }),
      calls({ call: 'type_text', with: { ...text, dry_run: 'yes' } }),
      calls({ call: 'type_text', with: {} }),
      calls({ call: 'type_text' }),
      calls({ use: 'typing', with: { word: 'hello' } }),
    ]).toEqual([true, false, true, false, false, false, true])
  })
})

describe('[ED14] editors', () => {
  const files = [GALLERY, join(PACKAGE, 'fixtures')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      // Installed suites have files of their own.
      .filter((path) => path.endsWith('.yaml') && !path.includes('node_modules'))
      .map((path) => relative(PACKAGE, join(folder, path)))
      // Suites have no schema.
      .filter((path) => !/^suite:/m.test(readFileSync(join(PACKAGE, path), 'utf8'))),
  )
  /** The files in folders of the gallery are included by scenarios. */
  const schemaOf = (file: string) =>
    /^scenarios\/.*\//.test(file) && !file.includes('/tasks/') ? INCLUDED_SCHEMA : SCENARIO_SCHEMA

  it.each(files)('find the schema of %s in its first line', (file) => {
    const [first = ''] = readFileSync(join(PACKAGE, file), 'utf8').split('\n')
    const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)$/.exec(first) ?? []
    expect(join(PACKAGE, dirname(file), path)).toBe(join(REFERENCE, schemaOf(file)))
  })
})
