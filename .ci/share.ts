/**
 * Long suites with many cases play a share of them in CI: `BACKLOT_TEST_SHARE=2/4` plays every fourth case, from the second.
 * Without the variable they play all. Tests of `src` and of `conformance` import this file.
 */

/** A share of all cases: this one of so many, from 1. */
export interface Share {
  readonly part: number
  readonly of: number
}

const ALL: Share = { part: 1, of: 1 }

/** Reads a share such as `2/4`. Throws on anything else; an empty text is everything. */
export function parseShare(text: string | undefined): Share {
  if (text === undefined || text === '') return ALL
  const [, part, of] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(text) ?? []
  if (part === undefined || Number(part) > Number(of))
    throw new Error(`BACKLOT_TEST_SHARE is ${JSON.stringify(text)}; it takes a part of a whole, such as 2/4`)
  return { part: Number(part), of: Number(of) }
}

/** The share of a commit. Four commits in a row play all, which their hashes would not do. */
export const shareOfCommit = (commitCount: number, of = 4): Share => ({ part: (commitCount % of) + 1, of })

/**
 * The cases that a run plays. Where lists of cases are nested, the inner list has the place of the outer case as its offset, so
 * that each share has different pairs. A share of a list with fewer cases than shares can be empty.
 */
export const shareOf = <T>(cases: readonly T[], offset = 0, { part, of } = CHOSEN): readonly T[] =>
  cases.filter((_, place) => (place + offset) % of === part - 1)

const CHOSEN = parseShare(process.env.BACKLOT_TEST_SHARE)

/** Whether a run plays all cases. A suite that is one long case plays fewer rounds of it otherwise. */
export const PLAYS_ALL = CHOSEN.of === 1
