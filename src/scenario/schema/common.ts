import * as z from 'zod'

/** Values that several parts of a scenario file use. */

/** A name that is not empty. */
export const Name = z.string().min(1)
/** A position in pixels. */
export const Coordinate = z.int().min(-100_000).max(100_000)
/** A width or height in pixels. */
export const Extent = z.int().min(0).max(100_000)
/** A duration of at most a day. */
export const Milliseconds = z.int().min(1).max(86_400_000)
/** The name of a state, or several. */
export const StateNames = z.union([Name, z.array(Name)])

/** A rectangle in pixels. */
export const AuthoredRect = z.strictObject({ x: Coordinate, y: Coordinate, width: Extent, height: Extent })

/** The type of a field of an event, and of the input of a page's tool. */
export const EventFieldType = z.enum(['text', 'number', 'integer', 'boolean', 'any'])
export type EventFieldType = z.infer<typeof EventFieldType>
