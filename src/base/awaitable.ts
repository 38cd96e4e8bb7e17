/** A value or a promise of it. A synthetic desktop answers synchronously, a real one asynchronously. */
export type Awaitable<T> = T | Promise<T>

/** Applies a function to a value: synchronously to a plain value, which saves a turn of the event loop, else when it resolves. */
export const andThen = <T, U>(value: Awaitable<T>, goOn: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(goOn) : goOn(value)

/** The result of some work, or of `recover` when it throws or rejects. */
export function orElse<T>(work: () => Awaitable<T>, rescue: (thrown: unknown) => T): Awaitable<T> {
  try {
    const value = work()
    return value instanceof Promise ? value.catch(rescue) : value
  } catch (thrown) {
    return rescue(thrown)
  }
}

/** Calls functions with a value, in order. Each starts after the previous one has finished. */
export function callInOrder<T>(
  functions: readonly ((value: T) => Awaitable<void>)[],
  value: T,
  from = 0,
): Awaitable<void> {
  for (let at = from; at < functions.length; at++) {
    const done = functions[at]!(value)
    if (done instanceof Promise) return done.then(() => callInOrder(functions, value, at + 1))
  }
}

/** Processes the items in order. Each starts after the previous one has finished. */
export function forEachInOrder<T>(
  items: readonly T[],
  does: (item: T) => Awaitable<unknown>,
  from = 0,
): Awaitable<void> {
  for (let at = from; at < items.length; at++) {
    const done = does(items[at]!)
    if (done instanceof Promise) return done.then(() => forEachInOrder(items, does, at + 1))
  }
}
