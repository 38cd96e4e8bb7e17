/**
 * Removes the trailing characters that `isTrimmed` accepts, one UTF-16 unit at a time. Unlike a pattern such as `/x+$/`
 * it takes linear time for texts with long inner runs of them.
 */
export function trimEndWhere(text: string, isTrimmed: (character: string) => boolean): string {
  let end = text.length
  while (end > 0 && isTrimmed(text[end - 1]!)) end--
  return text.slice(0, end)
}
