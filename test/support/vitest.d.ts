import type { BacklotMatchers } from '../../src/compose/matchers.ts'

declare module 'vitest' {
  interface Matchers<T> extends BacklotMatchers<T> {}
}
