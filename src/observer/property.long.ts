import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { generateSync, type JsonSchema } from 'json-schema-faker'
import { describe, expect, it } from 'vitest'
import { FAULTS } from '../base/fault.ts'
import { openDesktop } from '../testing.ts'
import { ALL_TOOLS, inputSchema } from './registry.ts'
import type { Tool } from './tool.ts'

// Rules such as [OB4] are stated in src/observer/SPEC.md.

const DESKTOP = readFileSync(new URL('../../scenarios/desktop.yaml', import.meta.url), 'utf8')
const SEEDS = 12

type Payload = Record<string, unknown>
interface Property {
  readonly type?: string
  readonly anyOf?: readonly Property[]
  readonly allOf?: readonly Property[]
}

const propertiesOf = (tool: Tool): Readonly<Record<string, Property>> =>
  (inputSchema(tool).properties ?? {}) as Readonly<Record<string, Property>>

/** Files may have megabytes, which take seconds to generate. */
const shortTexts = (key: string, value: unknown) => (key === 'maxLength' ? Math.min(Number(value), 2000) : value)

/** Valid arguments of a client that has read only the schema. */
function validPayload(tool: Tool, seed: number): Payload {
  const schema = JSON.parse(JSON.stringify(inputSchema(tool)), shortTexts) as JsonSchema
  const payload = generateSync(schema, { seed, optionalsProbability: 0.5, maxItems: 3 }) as Payload
  const { any_of, predicate, predicates } = payload
  return {
    ...payload,
    // The schema cannot express that one of these is required.
    ...(tool.name === 'assert_state' && { predicate: predicate ?? predicates ?? [{ kind: 'x' }] }),
    // Long waits are tested separately.
    ...(any_of !== undefined && { timeout_ms: 200 }),
  }
}

/** A new desktop, and the internal errors while it is used. */
function desk() {
  const opened = openDesktop({ scenario: DESKTOP, config: { page_tools: true } })
  const bugs: unknown[] = []
  Object.assign(opened.session.context, { report: (bug: unknown) => bugs.push(bug) })
  return { opened, bugs }
}

const named = (tools: readonly Tool[]) => tools.map((tool) => ({ name: tool.name, tool }))

describe('valid arguments', () => {
  it.each(named(ALL_TOOLS))('[OB6] never cause an internal error in $name', async ({ name, tool }) => {
    const { opened, bugs } = desk()
    for (let seed = 1; seed <= SEEDS; seed++) {
      const payload = validPayload(tool, seed)
      const { ok, error } = await opened.tryCall(name, payload)
      if (ok === true) continue
      expect([payload, error?.code]).toEqual([payload, expect.stringMatching(allowedCodes(tool))])
    }
    expect(bugs).toEqual([])
  })
})

const breakable = (tool: Tool) =>
  Object.entries(propertiesOf(tool)).filter(([, property]) => wrongFor(property) !== undefined)

describe('an invalid argument', () => {
  it.each(named(ALL_TOOLS.filter((tool) => breakable(tool).length > 0)))(
    '[OB4] is named by $name',
    async ({ name, tool }) => {
      const { opened } = desk()
      for (const [index, [field, property]] of breakable(tool).entries()) {
        const payload = { ...validPayload(tool, index + 1), [field]: wrongFor(property) }
        const { error } = await opened.tryCall(name, payload)
        expect(error).toMatchObject({ code: 'BadRequest', message: expect.stringContaining(field) })
        const { context } = error as unknown as { context: { issues: { field: string }[] } }
        expect(context.issues.map((issue) => issue.field.split('.')[0])).toContain(field)
      }
      expect(opened.computer.stepCount).toBe(0)
    },
  )
})

/** The codes that a tool may return: its own, those of the gates and those for any argument. */
const allowedCodes = ({ faults }: Tool): RegExp =>
  new RegExp(
    `^(${[...faults, 'BadRequest', 'PlatformUnsupported', 'ElementDisabled', 'PatternUnsupported'].join('|')})$`,
  )

/** A value of another type than a property has; undefined where any type is valid. */
function wrongFor({ type, anyOf, allOf }: Property): unknown {
  if (anyOf?.some((each) => each.type === 'string') || type === 'string') return 5
  if (allOf || anyOf || type === 'object' || type === 'array') return 'text'
  if (type === 'integer' || type === 'number') return 'three'
  if (type === 'boolean') return 'perhaps'
  return undefined
}

it('[OB7] returns a well-formed result for any typed text', async () => {
  const { opened } = desk()
  const names = fc.constantFrom(...ALL_TOOLS.map(({ name }) => name))
  await fc.assert(
    fc.asyncProperty(
      names,
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
      async (name, args) => {
        const { ok, error } = await opened.tryCall(name, args)
        expect(ok === true || (error !== undefined && error.code in FAULTS && error.code !== 'Internal')).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})
