import type { DataValue } from '../expression/data-type.ts'

/** Makes people, addresses, companies and products. The same seed gives the same value. */
export interface FakeData {
  readonly kinds: readonly string[]
  readonly locales: readonly string[]
  make(kind: string, locale: string, seed: number): DataValue
}

/** For where no generator is passed in. */
export const NO_FAKE_DATA: FakeData = { kinds: [], locales: [], make: () => null }
