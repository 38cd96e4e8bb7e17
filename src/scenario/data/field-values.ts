import * as z from 'zod'
import { didYouMean } from '../../base/text/suggest.ts'
import type { DataValue } from '../expression/data-type.ts'
import { elementFields } from '../schema/element.ts'

/** Keys of elements that take only some values, such as `icon`: what stands for a template, and the check when it has a value. */

type FieldKey = keyof typeof elementFields

const schemaOf = (key: string): z.ZodType | undefined =>
  Object.hasOwn(elementFields, key) ? elementFields[key as FieldKey] : undefined

const optionsOf = (schema: z.ZodType | undefined): readonly string[] =>
  schema instanceof z.ZodEnum ? schema.options.map(String) : []

/** Whether a key takes any text, also that of a template. Keys that are not of elements do. */
export const takesAnyText = (key: string): boolean => schemaOf(key)?.safeParse('{{').success ?? true

/** The first of some values that a key takes, otherwise one that it lists. Undefined if there is none. */
export function standInFor(key: string, candidates: readonly DataValue[]): DataValue | undefined {
  const schema = schemaOf(key)
  return schema && [...candidates, ...optionsOf(schema), null].find((value) => schema.safeParse(value).success)
}

/** Why a key of an element does not take a value. Undefined if it does. */
export function misfitOfField(key: string, value: unknown): string | undefined {
  const schema = schemaOf(key)
  const issue = schema?.safeParse(value).error?.issues[0]
  if (!issue) return undefined
  if (issue.code === 'custom') return `${key}: ${issue.message}`
  const hint = typeof value === 'string' ? didYouMean(value, optionsOf(schema)) : ''
  return `${JSON.stringify(value)} is not a value of ${key}${hint}`
}
