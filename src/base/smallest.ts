/**
 * Delta debugging: leaves out ever smaller chunks of a list until no single part can be left out.
 * @param parts A list that `fits`.
 * @param fits Whether a shorter list still has the property that matters.
 */
export async function smallest<Part>(
  parts: readonly Part[],
  fits: (parts: readonly Part[]) => Promise<boolean>,
): Promise<readonly Part[]> {
  let kept = parts
  for (let size = Math.ceil(parts.length / 2); size >= 1; ) {
    let isSmaller = false
    for (let at = 0; at < kept.length; ) {
      const fewer = kept.toSpliced(at, size)
      if (await fits(fewer)) {
        kept = fewer
        isSmaller = true
      } else at += size
    }
    if (!isSmaller || size > 1) size = size === 1 ? 0 : Math.floor(size / 2)
  }
  return kept
}
