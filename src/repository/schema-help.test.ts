import { describe, expect, it } from 'vitest'
import { referenceDocuments } from '../compose/reference.ts'
import { hasDescription, hasExample } from '../compose/schema-help.ts'
import { ROLES } from '../desktop/model/role.ts'
import { TOOL_NAMES } from '../scenario/tools.ts'

type Schema = Readonly<Record<string, unknown>>

const text = (await referenceDocuments())['scenario.schema.json']!
const schema = JSON.parse(text) as Schema & { readonly $defs: Readonly<Record<string, Schema>> }

/** The keys below a schema for which a check fails, by their paths. */
function keysWithout(check: (property: Schema, defs: Readonly<Record<string, Schema>>) => boolean): readonly string[] {
  const found: string[] = []
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, part] of Object.entries(value)) {
      if (key === 'examples' || key === 'default') continue
      if (key === 'properties')
        for (const [name, property] of Object.entries(part as Record<string, Schema>))
          if (!check(property, schema.$defs)) found.push(`${path}.${name}`)
      look(part, `${path}/${key}`)
    }
  }
  look(schema, '')
  return found
}

describe('the schema of scenarios for editors', () => {
  it('describes every key', () => {
    expect(keysWithout(hasDescription)).toEqual([])
  })

  it('has an example, or choices, for every key', () => {
    expect(keysWithout(hasExample)).toEqual([])
  })

  it('suggests the roles and the tools', () => {
    for (const [role] of ROLES) expect(text).toContain(`"${role}"`)
    for (const tool of TOOL_NAMES) expect(text).toContain(`"${tool}"`)
  })
})
