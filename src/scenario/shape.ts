import * as z from 'zod'
import type { KeyPath } from './source.ts'

/** The keys that a schema knows at a path, of every shape that is possible there. */
export const keysAt = (schema: z.ZodType, path: KeyPath): readonly string[] =>
  distinct(shapesAt(schema, path), (shape) => (shape instanceof z.ZodObject ? Object.keys(shape.shape) : []))

/** The words that a schema allows at a path. */
export const choicesAt = (schema: z.ZodType, path: KeyPath): readonly string[] =>
  distinct(shapesAt(schema, path), (shape) => (shape instanceof z.ZodLiteral ? [...shape.values].map(String) : []))

const distinct = <T>(items: readonly T[], texts: (item: T) => readonly string[]): readonly string[] => [
  ...new Set(items.flatMap(texts)),
]

function shapesAt(schema: z.ZodType, path: KeyPath): readonly z.core.$ZodType[] {
  let here: readonly z.core.$ZodType[] = [schema]
  for (const part of path) here = here.flatMap(shapesOf).flatMap((shape) => below(shape, part))
  return here.flatMap(shapesOf)
}

/** The schema itself without what is wrapped around it; each option of a union. */
function shapesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return shapesOf(schema.def.innerType)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(shapesOf)
  return [schema]
}

function below(schema: z.core.$ZodType, part: string | number): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) return part in schema.shape ? [schema.shape[part]] : []
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodRecord) return [schema.valueType]
  if (schema instanceof z.ZodTuple) return schema.def.items.filter((_, position) => position === part)
  return []
}
