import { didYouMean } from '../../base/strings.ts'
import type { RoleRow, RoleTrait } from './role-row.ts'
import { ROLE_TABLE, type RoleKind } from './role-table.ts'

export type { RoleKind } from './role-table.ts'

const ROWS: readonly (readonly [RoleKind, RoleRow])[] = Object.entries(ROLE_TABLE) as [RoleKind, RoleRow][]

/** The row of a kind. */
export const rowOfKind = (kind: RoleKind): RoleRow => ROLE_TABLE[kind]

/** The row of a role. */
export const roleRowOf = (role: string): RoleRow => ROLE_TABLE[roleKind(role)]

/** The roles whose row satisfies a predicate. */
export const rolesWhere = (fits: (row: RoleRow) => boolean): ReadonlySet<RoleKind> =>
  new Set(ROWS.filter(([, row]) => fits(row)).map(([kind]) => kind))

/** The roles that have a trait. */
export const rolesWith = (trait: RoleTrait): ReadonlySet<RoleKind> => rolesWhere(({ is }) => is.includes(trait))

/** The roles with behaviour and appearance of their own: the usual spelling, then its aliases. */
export const ROLES: readonly (readonly [name: string, ...aliases: string[]])[] = ROWS.filter(
  ([, { spellings }]) => spellings !== '',
).map(([, { spellings }]) => spellings.split(' ') as [string, ...string[]])

/** What to say of a role that is probably the misspelling of one with behaviour. Undefined for other roles. */
export function misspeltRole(role: string): string | undefined {
  const near = role === '' || roleKind(role) !== 'other' ? '' : didYouMean(role, ROLES.flat())
  return near === '' ? undefined : `there is no role ${JSON.stringify(role)}${near}`
}

const kinds = new Map<string, RoleKind>()
for (const [kind, { spellings }] of ROWS)
  for (const spelling of spellings.toLowerCase().split(' ')) if (spelling !== '') kinds.set(spelling, kind)

const remembered = new Map<string, RoleKind>()
const MAX_CACHED_ROLES = 1000

let latestRole = ''
let latestKind: RoleKind = 'other'

/**
 * The kind of a role; `other` for a role without behaviour and appearance of its own. Consecutive calls often have the
 * same role.
 */
export function roleKind(role: string): RoleKind {
  if (role === latestRole) return latestKind
  latestKind = lookUp(role)
  latestRole = role
  return latestKind
}

const spellingOf = (role: string): string => role.toLowerCase().replace(/[ _-]/g, '')

/** Whether a role means a field for a password, in any spelling: `PasswordBox`, `password text`, `AXSecureTextField`. */
export const isSecretRole = (role: string): boolean =>
  roleKind(role) === 'edit' && /password|secure/.test(spellingOf(role))

function lookUp(role: string): RoleKind {
  const known = remembered.get(role)
  if (known) return known
  const kind = kinds.get(spellingOf(role)) ?? 'other'
  if (remembered.size >= MAX_CACHED_ROLES) remembered.clear()
  remembered.set(role, kind)
  return kind
}
