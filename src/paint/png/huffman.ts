/** The lengths of an optimal prefix code in which none is longer than `longest` (package-merge); 0 for a weight of 0. */
export function codeLengths(weights: readonly number[], longest: number): Uint8Array {
  const coins = weights
    .map((weight, symbol) => ({ weight, symbols: [symbol] }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => a.weight - b.weight)
  let packages: typeof coins = []
  for (let level = 0; level < longest; level++) {
    const merged = [...coins, ...packages].sort((a, b) => a.weight - b.weight)
    packages = []
    for (let at = 0; at + 1 < merged.length; at += 2) {
      const [first, second] = [merged[at]!, merged[at + 1]!]
      packages.push({ weight: first.weight + second.weight, symbols: [...first.symbols, ...second.symbols] })
    }
  }
  const lengths = new Uint8Array(weights.length)
  for (const { symbols } of packages.slice(0, coins.length - 1)) for (const symbol of symbols) lengths[symbol]!++
  return lengths
}

/** The codes that belong to code lengths (RFC 1951, 3.2.2), first bit lowest as deflate writes them. */
export function canonicalCodes(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length)
  let code = 0
  for (let length = 1; length <= 15; length++) {
    code <<= 1
    lengths.forEach((own, symbol) => {
      if (own === length) codes[symbol] = reversed(code++, length)
    })
  }
  return codes
}

function reversed(code: number, length: number): number {
  let bits = 0
  for (let bit = 0; bit < length; bit++) bits |= ((code >>> bit) & 1) << (length - 1 - bit)
  return bits
}
