import type { BacklotMatchers } from './matchers.ts'

declare module 'vitest' {
  interface Matchers<T> extends BacklotMatchers<T> {}
}
