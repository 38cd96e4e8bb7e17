import type { BacklotMatchers } from '../compose/matchers.ts'

declare module 'vitest' {
  interface Matchers<T> extends BacklotMatchers<T> {}
}
