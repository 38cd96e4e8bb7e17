import { countTokens } from 'gpt-tokenizer'
import { expect, it } from 'vitest'
import { countTextTokens } from './token-count.ts'

it.each([
  ['nothing', ''],
  ['prose', 'The quick brown fox, aged 12, jumps over the lazy dog.\n'.repeat(100)],
  ['the longest word that is counted whole', ` ${'x'.repeat(199)} `],
])('counts %s as the tokenizer does', (_what, text) => {
  expect(countTextTokens(text)).toBe(countTokens(text))
})

it.each(['a', 'щ', '中', '=', ' ', '😀'])('[I-H26] counts half a million times %j at once', (sign) => {
  const piece = countTokens(sign.repeat(200))
  expect(countTextTokens(sign.repeat(500_000))).toBe(2500 * piece)
})

it('[I-H26] counts special tokens as text', () => {
  expect(countTextTokens('<|endoftext|>')).toBe(countTokens('<|', {}) + countTokens('endoftext|>'))
})
