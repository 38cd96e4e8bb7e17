import { ROLES } from '../../desktop/model/role.ts'
import type { JsonSchema } from './json-schema.ts'

/** A schema of elements that suggests the roles with behaviour, although any text is a role. */
export function withRoles(element: JsonSchema): JsonSchema {
  const { role, ...others } = element.properties ?? {}
  const { description, ...text } = role ?? {}
  const known = {
    type: 'string',
    enum: ROLES.map(([name]) => name),
    enumDescriptions: ROLES.map(([, ...aliases]) => (aliases.length === 0 ? '' : `also ${aliases.join(', ')}`)),
  }
  return {
    ...element,
    properties: { role: { ...(description !== undefined && { description }), anyOf: [known, text] }, ...others },
  }
}
