/** What is there already, or will be: a synthetic desktop answers at once, a real one when it can. */
export type Awaitable<T> = T | Promise<T>

/** Goes on with a value: at once when it is there, which saves the detour over the event loop, else when it comes. */
export const andThen = <T, U>(value: Awaitable<T>, goOn: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(goOn) : goOn(value)

/** What some work comes to, or what is made of what it throws, at once or later. */
export function orElse<T>(work: () => Awaitable<T>, rescue: (thrown: unknown) => T): Awaitable<T> {
  try {
    const value = work()
    return value instanceof Promise ? value.catch(rescue) : value
  } catch (thrown) {
    return rescue(thrown)
  }
}

/** Does something for each item in turn, the next one when the one before is done. */
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
