import * as z from 'zod'
import type { KeyPath } from './source.ts'

/**
 * The keys that a schema accepts at a path, of every possible shape that rejects exactly the refused keys of the
 * written value.
 */
export function keysAt(
  schema: z.ZodType,
  path: KeyPath,
  authored: object = {},
  refused: readonly string[] = [],
): readonly string[] {
  const shapes = objectsAt(schema, path)
  const meant = shapes.filter(({ shape }) => refuses(shape, authored, refused))
  return distinct(meant.length > 0 ? meant : shapes, ({ shape }) => Object.keys(shape))
}

/** The shapes of maps that a schema accepts at a path. */
export const objectsAt = (schema: z.ZodType, path: KeyPath): readonly z.ZodObject[] =>
  shapesAt(schema, path).filter((shape) => shape instanceof z.ZodObject)

const refuses = (shape: z.core.$ZodShape, authored: object, refused: readonly string[]): boolean =>
  Object.entries(authored).every(([key, value]) => {
    const known = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (refused.includes(key) === (known !== undefined)) return false
    return !(known instanceof z.ZodLiteral) || known.values.has(value)
  })

/** The literals that a schema accepts at a path. */
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

/** Unwraps a schema; a union gives each of its options. */
function shapesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return shapesOf(schema.def.innerType)
  if (schema instanceof z.ZodLazy) return shapesOf(schema.unwrap())
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(shapesOf)
  return [schema]
}

function below(schema: z.core.$ZodType, part: string | number): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, part) ? [schema.shape[part]] : []
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodRecord) return [schema.valueType]
  if (schema instanceof z.ZodTuple) return schema.def.items.filter((_, position) => position === part)
  return []
}

/** Whether a literal, such as the kind of a predicate, decides about the shape. */
export const hasLiteral = ({ shape }: z.ZodObject): boolean =>
  Object.values(shape).some((field) => field instanceof z.ZodLiteral)
