/**
 * The text without the characters at its end that `isTrimmed` accepts, asked one UTF-16 unit at a time. Unlike a pattern
 * such as `/x+$/` it takes linear time where long runs of them stand elsewhere in the text.
 */
export function trimEndWhere(text: string, isTrimmed: (character: string) => boolean): string {
  let end = text.length
  while (end > 0 && isTrimmed(text[end - 1]!)) end--
  return text.slice(0, end)
}
