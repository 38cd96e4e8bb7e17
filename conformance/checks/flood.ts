import { fail } from '../probe/failure.ts'
import type { TestContext } from '../run/test-context.ts'

/** Bytes that no kernel takes from a server for a reader that does not read: Linux keeps 4 MB and what the reader's own buffer holds. */
const STALLING_BYTES = 6 * 1024 * 1024
/** Milliseconds after which an agent that has not said so much is given up. */
const MAX_FLOOD_MS = 15_000
/** What the message holds that an agent is to repeat, in characters. */
const PADDING = 200_000

/** Phrases that make an agent say much, the best one first. */
const PURPOSES = ['flood', 'burst', 'long', 'hello']

/** What to say to make the agent say much. With the phrase "flood" it repeats a long message many times over. */
export function floodPrompt({ profile }: Pick<TestContext, 'profile'>): string {
  const purpose = PURPOSES.find((one) => profile.has(one)) ?? 'flood'
  const text = profile.phrase(purpose)
  return purpose === 'flood' ? `${text} ${'lorem ipsum '.repeat(PADDING / 12)}` : text
}

/**
 * Has the agent say so much that the server cannot get rid of it to a reader that does not read. `turn` says the text and
 * gives how many bytes the answer had for somebody who does.
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
