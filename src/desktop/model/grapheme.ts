let segmenter: Intl.Segmenter | undefined

/** Tells apart what a reader takes for single characters. Reading its tables takes some ms, so it waits until it is needed. */
export function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter
}
