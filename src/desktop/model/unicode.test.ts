import { describe, expect, it } from 'vitest'
import { unbreakableEnd } from './unicode.ts'

// Rules such as [DT101] are stated in ../SPEC.md.

function parts(text: string): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = Math.max(at + 1, unbreakableEnd(text, at, text.length))
    found.push(text.slice(at, end))
    at = end
  }
  return found
}

describe('[DT101] lines break', () => {
  it.each([
    ['after blanks only in Latin', 'one (two) x,y', ['one', ' ', '(two)', ' ', 'x,y']],
    ['between ideographs and kana', '漢字かな', ['漢', '字', 'か', 'な']],
    ['not before closing punctuation', '保存。「開く」', ['保', '存。', '「開', 'く」']],
    ['not before small kana and long vowels', 'チャート', ['チャー', 'ト']],
    ['beside Latin words and numbers', '第12章abc', ['第', '12', '章', 'abc']],
    ['between Hangul syllables', '안녕', ['안', '녕']],
    ['not inside of emoji', 'a😀👍🏽👩‍👧🇩🇪', ['a', '😀', '👍🏽', '👩‍👧', '🇩🇪']],
    ['never between Arabic letters', 'السلام', ['السلام']],
  ] as const)('%s', (_, text, expected) => expect(parts(text)).toEqual(expected))
})
