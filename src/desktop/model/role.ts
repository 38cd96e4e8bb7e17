import type { RoleRow, RoleTrait } from './role-row.ts'
import { type Kind, ROLE_TABLE } from './role-table.ts'

export type { Kind } from './role-table.ts'

const ROWS: readonly (readonly [Kind, RoleRow])[] = Object.entries(ROLE_TABLE) as [Kind, RoleRow][]

/** What a role means. */
export const roleRowOf = (role: string): RoleRow => ROLE_TABLE[kindOf(role)]

/** The kinds whose row fits. */
export const kindsWhere = (fits: (row: RoleRow) => boolean): ReadonlySet<Kind> =>
  new Set(ROWS.filter(([, row]) => fits(row)).map(([kind]) => kind))

/** The kinds that have a trait. */
export const kindsThatAre = (trait: RoleTrait): ReadonlySet<Kind> => kindsWhere(({ is }) => is.includes(trait))

/** The roles that have behaviour and a look of their own: the usual spelling, then its aliases. */
export const ROLES: readonly (readonly [name: string, ...aliases: string[]])[] = ROWS.filter(
  ([, { spellings }]) => spellings !== '',
).map(([, { spellings }]) => spellings.split(' ') as [string, ...string[]])

const kinds = new Map<string, Kind>()
for (const [kind, { spellings }] of ROWS)
  for (const spelling of spellings.toLowerCase().split(' ')) if (spelling !== '') kinds.set(spelling, kind)

const remembered = new Map<string, Kind>()
const MAX_CACHED_ROLES = 1000

let latestRole = ''
let latestKind: Kind = 'other'

/** The kind of a role; `other` for a role that has no behaviour and no look of its own. Neighbours often have the same. */
export function kindOf(role: string): Kind {
  if (role === latestRole) return latestKind
  latestKind = lookUp(role)
  latestRole = role
  return latestKind
}

function lookUp(role: string): Kind {
  const known = remembered.get(role)
  if (known) return known
  const kind = kinds.get(role.toLowerCase().replace(/[ _-]/g, '')) ?? 'other'
  if (remembered.size >= MAX_CACHED_ROLES) remembered.clear()
  remembered.set(role, kind)
  return kind
}
