import { countTokens } from 'gpt-tokenizer'

/** Longer runs without a break are split, because the tokenizer needs quadratic time for them. */
const LONG_RUN = /(\S{200}|\s{200})/u

/** Special tokens in user text are counted as ordinary text. */
const AS_PLAIN_TEXT = { disallowedSpecial: new Set<string>() }

/** Counts the tokens of a text. The count is exact, except where very long runs are split. */
export const countTextTokens = (text: string): number =>
  text.split(LONG_RUN).reduce((sum, piece) => sum + countTokens(piece, AS_PLAIN_TEXT), 0)
