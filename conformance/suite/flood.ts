import { fail } from '../probe/failure.ts'
import type { TestContext } from './test-context.ts'

/** More bytes than a kernel buffers for a reader that does not read: Linux keeps 4 MB plus the receive buffer. */
const STALLING_BYTES = 6 * 1024 * 1024
/** Milliseconds after which the flood of an agent is given up. */
const MAX_FLOOD_MS = 15_000
/** The length of the message that the agent repeats, in characters. */
const PADDING_CHARACTERS = 200_000

/** Phrases that trigger long answers, the best one first. */
const PURPOSES = ['flood', 'burst', 'long', 'hello']

/** The prompt for a long answer. With the phrase "flood", the agent repeats a long message many times. */
export function floodPrompt({ profile }: Pick<TestContext, 'profile'>): string {
  const purpose = PURPOSES.find((one) => profile.has(one)) ?? 'flood'
  const text = profile.phrase(purpose)
  return purpose === 'flood' ? `${text} ${'lorem ipsum '.repeat(PADDING_CHARACTERS / 12)}` : text
}

/**
 * Makes the agent send more than the server can deliver to a stalled reader. `turn` sends the text and returns the
 * byte count of the answer at a normal reader.
 */
export async function flood(
  context: Pick<TestContext, 'profile'>,
  turn: (text: string) => Promise<number>,
): Promise<void> {
  const text = floodPrompt(context)
  const startedAt = performance.now()
  for (let bytes = 0; bytes < STALLING_BYTES; ) {
    if (performance.now() - startedAt > MAX_FLOOD_MS)
      fail(`prerequisite: the profile has no phrase "flood" that makes the agent say ${STALLING_BYTES} bytes in time`)
    bytes += await turn(text)
  }
}
