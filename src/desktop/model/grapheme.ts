let segmenter: Intl.Segmenter | undefined

/** Splits text into grapheme clusters. Created on first use, because loading its tables takes some milliseconds. */
export function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter
}
