import type { ScreenProjection } from './projection.ts'

/** Moves a value into pixels of the screen. */
export type Project<T> = (projection: ScreenProjection, value: T) => T

/** Projects each value once per projection, so that values that did not change keep their identity. */
export function memoizeProjected<T extends object>(project: Project<T>): Project<T> {
  const projected = new WeakMap<ScreenProjection, WeakMap<T, T>>()
  return (projection, value) => {
    const known = projected.get(projection) ?? new WeakMap<T, T>()
    projected.set(projection, known)
    const made = known.get(value) ?? project(projection, value)
    known.set(value, made)
    return made
  }
}
