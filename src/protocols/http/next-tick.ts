import { executionAsyncResource } from 'node:async_hooks'

let kept: object | undefined

/**
 * Holds one of the objects that `process.nextTick` makes, for good. Without it the first garbage collection that finds none
 * alive takes their hidden class away; V8 then defines two of their fields by its slowest way ever after, which is some 3 µs
 * of every HTTP request (Node 20: the object literal in `nextTick` has computed keys, whose feedback becomes megamorphic).
 */
export function retainTickObject(): void {
  if (kept === undefined)
    process.nextTick(() => {
      kept = executionAsyncResource()
    })
}
