/** Compares numbers by size, other texts ignoring case. */
export function compareTexts(a: string, b: string): number {
  const [left, right] = [numberIn(a), numberIn(b)]
  if (left !== undefined && right !== undefined) return left - right
  const [low, high] = [a.toLowerCase(), b.toLowerCase()]
  return low < high ? -1 : low > high ? 1 : 0
}

/** Parses a number, also with a currency sign, a per cent sign or thousands separators. */
function numberIn(text: string): number | undefined {
  const plain = text.replace(/[\s,%$€£]/g, '')
  const number = Number(plain)
  return plain !== '' && Number.isFinite(number) ? number : undefined
}
