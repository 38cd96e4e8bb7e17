import { drawInteger, type Random, seededRandom } from '../../src/base/random.ts'

/** Draws as many of the things as there are, with replacement: how often each was drawn. */
export function resampled<T>(things: readonly T[], random: Random): [ReadonlyMap<T, number>, Random] {
  const counts = new Map(things.map((thing) => [thing, 0]))
  let next = random
  for (let drawn = 0; drawn < things.length; drawn++) {
    const [index, later] = drawInteger(next, 0, things.length - 1)
    next = later
    counts.set(things[index]!, counts.get(things[index]!)! + 1)
  }
  return [counts, next]
}

/** Things in a random order. */
export function shuffled<T>(things: readonly T[], random: Random): [readonly T[], Random] {
  const order = [...things]
  let next = random
  for (let last = order.length - 1; last > 0; last--) {
    const [index, later] = drawInteger(next, 0, last)
    next = later
    ;[order[last], order[index]] = [order[index]!, order[last]!]
  }
  return [order, next]
}

/** The bounds between which 95 % of values lie, by linear interpolation between the ordered values. */
export function percentileInterval(values: readonly number[]): readonly [low: number, high: number] {
  const ordered = values.toSorted((one, other) => one - other)
  const at = (share: number) => {
    const place = share * (ordered.length - 1)
    const below = Math.floor(place)
    const low = ordered[below]!
    return low + (place - below) * ((ordered[below + 1] ?? low) - low)
  }
  return [at(0.025), at(0.975)]
}

/** Values of statistics in bootstrap samples of names, the same samples for each statistic. */
export function bootstrapped<Key extends string>(
  names: readonly string[],
  samples: number,
  seed: number,
  statistics: (weightOf: (name: string) => number) => Readonly<Record<Key, number>>,
): ReadonlyMap<Key, readonly number[]> {
  const values = new Map<Key, number[]>()
  let random = seededRandom(seed)
  for (let sample = 0; sample < samples; sample++) {
    const [counts, later] = resampled(names, random)
    random = later
    for (const [key, value] of Object.entries(statistics((name) => counts.get(name) ?? 0)) as [Key, number][]) {
      const known = values.get(key)
      if (known) known.push(value)
      else values.set(key, [value])
    }
  }
  return values
}
