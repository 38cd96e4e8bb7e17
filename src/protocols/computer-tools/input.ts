import * as z from 'zod'
import { isTooDeep, MAX_JSON_DEPTH } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { didYouMean } from '../../base/strings.ts'
import type { Modifier } from '../../desktop/input/action.ts'
import { formatChord, MODIFIER_ORDER, modifierOf, parseChord, parseKey } from '../../desktop/input/keys.ts'
import { describeProblems } from '../../observer/tool.ts'

/** The most calls in one request. */
export const MAX_VENDOR_CALLS = 100
/** The most actions of one call, and keys of one action. */
export const MAX_ACTIONS = 100
/** The longest wait and the longest hold of a key, in seconds. */
export const MAX_SECONDS = 60

/** A duration in seconds. */
export const Seconds = z.number().min(0).max(MAX_SECONDS)

/** Parses a part of a request. Throws `BadRequest` that lists every problem. `about` names the part. */
export function readPart<T>(schema: z.ZodType<T>, value: unknown, about?: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = describeProblems(schema, value, parsed.error)
  throw new Fault('BadRequest', `${about === undefined ? '' : `${about}: `}${problems.join('; ')}`, { problems })
}

/** Throws `BadRequest` for a body that is nested too deeply to be kept in a trace. */
export function assertShallow(body: unknown): void {
  if (isTooDeep(body)) throw new Fault('BadRequest', `the body is nested more than ${MAX_JSON_DEPTH} levels deep`)
}

/** An object without the fields that are null, which clients write for omitted ones. */
export const withoutNullFields = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
    : value

/** The fault of an unknown name. It lists the known names, and the nearest one. */
export function unknownName(what: string, name: string, known: readonly string[]): Fault {
  const written = name.slice(0, MAX_QUOTED_CHARACTERS)
  const near = didYouMean(written, known)
  const list = near === '' ? `; known are ${known.join(', ')}` : `${near} Known are ${known.join(', ')}`
  const message = `there is no ${what} ${JSON.stringify(written)}${list}`
  return new Fault('BadRequest', message)
}

const MAX_QUOTED_CHARACTERS = 100

/** The modifiers of a chord such as `ctrl+shift`, or of a list of keys. Throws `BadRequest` for other keys. */
export function readModifiers(keys: string | readonly string[] | undefined, field: string): readonly Modifier[] {
  const names = typeof keys === 'string' ? keys.split('+') : (keys ?? [])
  const held = names.map((name) => {
    const modifier = modifierOf(parseKey(name.trim()))
    if (modifier) return modifier
    throw new Fault(
      'BadRequest',
      `${field}: ${JSON.stringify(name)} is not a modifier; hold ctrl, shift, alt or meta`,
      {
        field,
      },
    )
  })
  return MODIFIER_ORDER.filter((modifier) => held.includes(modifier))
}

/**
 * The chords of keys that are pressed together: modifiers, then the others one after the other. A letter stands for its
 * key, whatever its case. Throws `BadRequest` for an unknown key.
 */
export function toChords(keys: readonly string[]): readonly string[] {
  const parsed = keys.map(parseChord)
  const isModifier = ({ key }: { readonly key: string }) => modifierOf(key) !== undefined
  const held = parsed.flatMap((chord) => [...chord.modifiers, ...(isModifier(chord) ? [modifierOf(chord.key)!] : [])])
  const modifiers = MODIFIER_ORDER.filter((modifier) => held.includes(modifier))
  const others = parsed.filter((chord) => !isModifier(chord)).map(({ key }) => lowerLetter(key))
  if (others.length > 0) return others.map((key) => formatChord({ modifiers, key }))
  return [formatChord({ modifiers: modifiers.slice(0, -1), key: modifiers.at(-1)! })]
}

const lowerLetter = (key: string): string => ([...key].length === 1 ? key.toLowerCase() : key)
