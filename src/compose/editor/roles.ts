import { ROLE_TABLE } from '../../desktop/model/role-table.ts'
import type { JsonSchema } from './json-schema.ts'

/** A role with behaviour and appearance of its own. */
export interface KnownRole {
  readonly name: string
  readonly aliases: readonly string[]
  readonly purpose: string
}

const ROWS = Object.values(ROLE_TABLE).filter(({ spellings }) => spellings !== '')
const PURPOSES = [...new Set(ROWS.map(({ purpose }) => purpose))]

/** The roles, those of one purpose together. */
export const KNOWN_ROLES: readonly KnownRole[] = PURPOSES.flatMap((purpose) =>
  ROWS.filter((row) => row.purpose === purpose).map(({ spellings }) => {
    const [name = '', ...aliases] = spellings.split(' ')
    return { name, aliases, purpose }
  }),
)

/** A schema of elements that suggests the roles with behaviour, although any text is a role. */
export function withRoles(element: JsonSchema): JsonSchema {
  const { role, ...others } = element.properties ?? {}
  const { description, ...text } = role ?? {}
  const known = {
    type: 'string',
    enum: KNOWN_ROLES.map(({ name }) => name),
    enumDescriptions: KNOWN_ROLES.map(({ purpose, aliases }) =>
      aliases.length === 0 ? purpose : `${purpose}; also ${aliases.join(', ')}`,
    ),
  }
  const suggested = { ...(description !== undefined && { description }), anyOf: [known, text] }
  return { ...element, properties: { role: suggested, ...others } }
}
