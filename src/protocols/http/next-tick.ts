import { executionAsyncResource } from 'node:async_hooks'

let retained: object | undefined

/**
 * Retains one of the objects that `process.nextTick` creates. Without it, the first garbage collection that finds none alive
 * discards their hidden class. V8 then defines two of their fields in its slowest way for the rest of the process, about 3 µs
 * per HTTP request (Node 20: the object literal in `nextTick` has computed keys, whose feedback becomes megamorphic).
 */
export function retainTickObject(): void {
  if (retained === undefined)
    process.nextTick(() => {
      retained = executionAsyncResource()
    })
}
