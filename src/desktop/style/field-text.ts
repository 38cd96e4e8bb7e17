import type { Element } from '../model/element.ts'
import { kindOf, kindsWith } from '../model/role.ts'
import type { FieldText } from '../model/traits.ts'
import type { Metrics } from './metrics.ts'

/** The kinds with a text that is typed, and clicked between its letters. */
const FIELDS = kindsWith('typed')

/** The space for the sign in a search field. */
const SEARCH_SIGN_PX = 24

/** Whether a field searches: one with this role. */
export const isSearchBox = ({ role = '' }: Partial<Pick<Element, 'role'>>): boolean =>
  role.toLowerCase() === 'searchbox'

/**
 * The text of a field of a role in a style. Undefined for other elements, and in the default style. Fields are not
 * mirrored with their screen, so the sign is at their other side.
 */
export function fieldTextOf(role: string, { text, control }: Metrics, isMirrored = false): FieldText | undefined {
  const { searchSign } = control
  if (searchSign === undefined || !FIELDS.has(kindOf(role))) return undefined
  const { family, field: size } = text
  if (!isSearchBox({ role })) return { family, size }
  return { family, size, [(searchSign === 'start') !== isMirrored ? 'before' : 'after']: SEARCH_SIGN_PX }
}
